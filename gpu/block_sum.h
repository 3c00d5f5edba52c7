// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

namespace fullbatch {

// For kernels. `static`, because device code does not link across sources.

inline constexpr unsigned int sumThreads = 128; ///< threads of every block that uses blockSum()

/// The sum over the block's threads, in a fixed order, for the block's first thread; others get
/// something else. Between two calls the block must meet at a barrier.
static __device__ double blockSum(double value)
{
    __shared__ double values[sumThreads];
    constexpr unsigned int lanes = 32;
    values[threadIdx.x] = value;
    __syncthreads();
    if (threadIdx.x >= lanes)
        return 0;
    double sum = 0;
    for (unsigned int i = threadIdx.x; i < sumThreads; i += lanes)
        sum += values[i];
    for (unsigned int distance = lanes / 2; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffffU, sum, distance);
    return sum;
}

} // namespace fullbatch
