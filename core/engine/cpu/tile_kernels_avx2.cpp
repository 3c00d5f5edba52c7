// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/tile_kernels.h"

// Compiled with flags of its instruction set (see CMakeLists.txt); empty where the compiler has
// none.
#if defined(__AVX2__)
#include "core/engine/cpu/lane_activation.h"
#include "core/engine/cpu/lane_loss.h"
#include "core/engine/cpu/lane_products.h"
#include "core/engine/cpu/lane_transpose.h"
#include "core/engine/cpu/lane_update.h"
#endif

namespace fullbatch {

const TileKernels* avx2TileKernels()
{
#if defined(__AVX2__)
    static constexpr TileKernels kernels = {
        instructionSetName, laneCount,     forwardRelu,
        forwardLinear,      inputGradient, inputGradientBySlopes,
        weightGradient,     activate,      softmaxCrossEntropy,
        transpose,          update,        peakLoop,
    };
    return &kernels;
#else
    return nullptr;
#endif
}

} // namespace fullbatch
