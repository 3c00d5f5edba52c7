// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

namespace fullbatch {

// For kernels. `static`, because device code does not link across sources.

/// Whether this block is the grid's last to come here; what the others' first threads wrote before
/// is visible to it then. Which block it is varies, what it adds up does not.
static __device__ bool isLastBlock(unsigned int* ticket)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        __threadfence();
        last = atomicAdd(ticket, 1U) == gridDim.x - 1;
        if (last)
            *ticket = 0; // for the next kernel
        __threadfence();
    }
    __syncthreads();
    return last;
}

} // namespace fullbatch
