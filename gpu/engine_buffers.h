// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "gpu/arithmetic.h"
#include "gpu/device_memory.h"
#include "gpu/padded_network.h"

namespace fullbatch {

/// All device memory of an engine but the library's workspace, allocated once. Sized for passes
/// over all training rows; smaller passes use the front of the same buffers.
///
/// Before anything is allocated the sum is compared with what the device has free: EngineError with
/// both numbers when it is not enough.
class EngineBuffers
{
public:
    EngineBuffers(const PaddedNetwork& network, const Arithmetic& arithmetic,
                  const RowChunks& whole, const Dataset& data, bool momentum,
                  std::size_t workspaceBytes);

    // The data as they are: features x rows, and labels.
    DeviceMemory trainInputs;
    DeviceMemory trainLabels;
    DeviceMemory testInputs;
    DeviceMemory testLabels;
    DeviceMemory otherInputs; ///< for predict(): features x as many rows as a pass has

    // A pass. Padded units x columns, in the stored type unless said otherwise.
    DeviceMemory allRows; ///< the training inputs in file order
    DeviceMemory gathered; ///< other inputs
    DeviceMemory order; ///< which rows: std::uint32_t
    DeviceMemory hidden; ///< activations, layer after layer
    DeviceMemory hiddenDelta; ///< the same for the loss' derivatives by them
    DeviceMemory logits; ///< float32
    DeviceMemory logitsDelta;
    DeviceMemory partials; ///< of the weights' gradients, float32; see UpdateWork
    DeviceMemory lossSums; ///< one BlockLoss a block

    // The weights, each as long as the padded network, float32.
    DeviceMemory position; ///< see DeviceDescent
    DeviceMemory copies; ///< in the stored type; none for float32
    DeviceMemory gradient;
    DeviceMemory otherWeights; ///< for gradientAt()
    DeviceMemory otherCopies;
    DeviceMemory otherGradient;
    DeviceMemory otherState; ///< a DescentState for what is not training
    DeviceMemory trainable; ///< bytes
    DeviceMemory updateBlocks;
    DeviceMemory blockSquares;
    std::size_t updateBlockCount = 0;

    DeviceMemory optimiser; ///< an Optimiser
    DeviceMemory rates; ///< a ring
    DeviceMemory records; ///< a ring
};

/// Numbers in a position: weights, the weights before, and the same of the velocity, each padded.
[[nodiscard]] std::size_t positionNumbers(const PaddedNetwork& network, bool momentum);

/// One weight a thread, every block within one layer.
[[nodiscard]] std::vector<UpdateBlock> updateBlocks(const PaddedNetwork& network);

} // namespace fullbatch
