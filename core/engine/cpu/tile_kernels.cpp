// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/tile_kernels.h"

#include <cstdlib>
#include <string_view>

namespace fullbatch {

namespace {

bool processorHasAvx512()
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq");
#else
    return false;
#endif
}

bool processorHasAvx2()
{
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

} // namespace

const TileKernels& tileKernels()
{
    const char* variable = std::getenv("FULLBATCH_INSTRUCTION_SET");
    const std::string_view wanted = variable == nullptr ? "" : variable;
    if (wanted != "baseline") {
        const TileKernels* avx512 = avx512TileKernels();
        if (wanted != "avx2" && avx512 != nullptr && processorHasAvx512())
            return *avx512;
        const TileKernels* avx2 = avx2TileKernels();
        if (avx2 != nullptr && processorHasAvx2())
            return *avx2;
    }
    return baselineTileKernels();
}

} // namespace fullbatch
