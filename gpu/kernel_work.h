// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/optimiser.h"
#include "gpu/descent_state.h"

#include <cstddef>
#include <cstdint>

namespace fullbatch {

// What the kernels are told. Pointers are device memory; matrices are column-major, stride x
// columns. Members are in an order without holes, so that every byte of a launch is what was set.

/// What activations, deltas and the products' weights are stored as.
enum class StoredType { Float32, Float16, BFloat16 };

/// Rows as a pass takes them: rows first .. first + count - 1, or what that part of `order` names.
struct RowChoice
{
    const std::uint32_t* order = nullptr;
    std::size_t first = 0;
    std::size_t count = 0;
};

/// Some rows of plain inputs, as a product's input: ones unit, padding, zero columns.
struct GatherWork
{
    const float* inputs = nullptr; ///< features x all rows
    RowChoice rows;
    void* to = nullptr;
    std::size_t columns = 0; ///< at least rows.count
    int features = 0;
    int stride = 0;
};

/// A hidden layer's matrices.
struct ActivationWork
{
    void* activation = nullptr;
    void* delta = nullptr; ///< not for launchRelu
    std::size_t columns = 0;
    int stride = 0;
    int units = 0; ///< without the ones unit and the padding
};

/// A block's part of the loss.
struct BlockLoss
{
    double loss;
    unsigned long long predictionDigest;
    unsigned int wrongRows;
};

struct LossWork
{
    const float* logits = nullptr;
    void* delta = nullptr; ///< null: only measure
    const std::int32_t* labels = nullptr; ///< of all rows
    RowChoice rows;
    std::size_t columns = 0;
    int stride = 0;
    int classes = 0;
    double meanRows = 1; ///< what the loss is the mean over
    DescentState* state = nullptr;
    BlockLoss* blockSums = nullptr; ///< one for each lossRowsPerBlock columns
    double deltaShare = 1; ///< delta = (softmax - one at the label) * lossScale * deltaShare
};
inline constexpr std::size_t lossRowsPerBlock = 64;

/// Which weights a block of the update works on: some of one layer.
struct UpdateBlock
{
    std::size_t first = 0;
    std::size_t end = 0; ///< at most first + updateWeightsPerBlock
    std::size_t layerOffset = 0;
    std::size_t layerSize = 0;
};
inline constexpr std::size_t updateWeightsPerBlock = 128;

struct UpdateWork
{
    const UpdateBlock* blocks = nullptr;
    double* blockSquares = nullptr; ///< one a block
    DescentState* state = nullptr;
    /// Layer after layer, each `chunks` matrices of the layer's size.
    const float* partials = nullptr;
    unsigned int blockCount = 0;
    unsigned int chunks = 0;
    const std::uint8_t* trainable = nullptr;

    float* gradient = nullptr; ///< of the batch; gradientKernel writes it for stepKernel
    float* meanGradient = nullptr; ///< unless null: gradientKernel adds meanPart * gradient
    float meanPart = 1;
    int firstPart = 1; ///< meanGradient = instead of +=
    float gradientShare = 1; ///< gradient = sum of partials * gradientShare / lossScale
    int scaled = 0; ///< fp16: a gradient that is not finite is skipped

    const Optimiser* optimiser = nullptr; ///< how a gradient becomes a step
    float* weights = nullptr; ///< the float32 masters
    float* velocity = nullptr; ///< null without momentum
    float* weightsBefore = nullptr; ///< before the latest step from a finite position
    float* velocityBefore = nullptr;
    void* copies = nullptr; ///< for the products; null where they read the masters
    const float* rates = nullptr; ///< a ring of rateSlots
    EpochRecord* records = nullptr; ///< a ring of recordSlots
    double epochRows = 1; ///< what the loss of the batch, or of a measured epoch, is the mean over
    double epochBatches = 1; ///< updates of an epoch
    std::size_t endsEpoch = 1; ///< whether the batch does
};
inline constexpr unsigned int rateSlots = 4096;
inline constexpr unsigned int recordSlots = 128;

/// Rounds float32 numbers to a stored type.
struct ConvertWork
{
    const float* from = nullptr;
    void* to = nullptr;
    std::size_t count = 0;
};

} // namespace fullbatch
