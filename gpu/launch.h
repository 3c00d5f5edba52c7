// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/kernel_work.h"
#include "gpu/stored_value.h"

#include <cuda_runtime.h>

namespace fullbatch {

/// How many blocks of `each` cover `count`; at least one, so that a launch is always valid.
inline unsigned int blockCount(std::size_t count, std::size_t each)
{
    return count == 0 ? 1U : static_cast<unsigned int>((count + each - 1) / each);
}

/// Queues blocks x threads of a kernel with one argument.
template <typename Work>
cudaError_t launch(cudaStream_t stream, unsigned int blocks, unsigned int threads,
                   void (*kernel)(Work), const Work& work)
{
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(blocks);
    config.blockDim = dim3(threads);
    config.stream = stream;
    return cudaLaunchKernelEx(&config, kernel, work);
}

/// Calls `action` with a zero of the type.
template <typename Action>
cudaError_t withStoredType(StoredType type, const Action& action)
{
    switch (type) {
    case StoredType::Float16:
        return action(__half{});
    case StoredType::BFloat16:
        return action(__nv_bfloat16{});
    case StoredType::Float32:
        break;
    }
    return action(float{});
}

} // namespace fullbatch
