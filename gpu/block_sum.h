// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

namespace fullbatch {

// For kernels. `static`, because device code does not link across sources.

inline constexpr unsigned int sumThreads = 128; ///< threads of every block that uses blockSum()

/// The sum over the block's threads, in a fixed order; every thread gets it.
static __device__ double blockSum(double value)
{
    __shared__ double values[sumThreads];
    values[threadIdx.x] = value;
    __syncthreads();
    for (unsigned int width = sumThreads / 2; width > 0; width /= 2) {
        if (threadIdx.x < width)
            values[threadIdx.x] += values[threadIdx.x + width];
        __syncthreads();
    }
    const double sum = values[0];
    __syncthreads(); // before the next sum writes there
    return sum;
}

} // namespace fullbatch
