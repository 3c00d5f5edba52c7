// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/lane_activation.h"
#include "core/engine/cpu/lane_loss.h"
#include "core/engine/cpu/lane_products.h"
#include "core/engine/cpu/lane_transpose.h"
#include "core/engine/cpu/lane_update.h"

namespace fullbatch {

const TileKernels& baselineTileKernels()
{
    static constexpr TileKernels kernels = {
        instructionSetName, laneCount,     forwardRelu,
        forwardLinear,      inputGradient, inputGradientBySlopes,
        weightGradient,     activate,      softmaxCrossEntropy,
        transpose,          update,        peakLoop,
    };
    return kernels;
}

} // namespace fullbatch
