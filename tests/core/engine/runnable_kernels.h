// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/cpu/tile_kernels.h"

#include <vector>

namespace fullbatch {

/// Those of every instruction set that this processor has.
[[nodiscard]] inline std::vector<const TileKernels*> runnableKernels()
{
    std::vector<const TileKernels*> kernels = {&baselineTileKernels()};
#if defined(__x86_64__)
    if (avx2TileKernels() != nullptr && __builtin_cpu_supports("avx2")
        && __builtin_cpu_supports("fma"))
        kernels.push_back(avx2TileKernels());
    if (avx512TileKernels() != nullptr && __builtin_cpu_supports("avx512dq"))
        kernels.push_back(avx512TileKernels());
#endif
    return kernels;
}

} // namespace fullbatch
