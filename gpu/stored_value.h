// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

namespace fullbatch {

// For kernels: the numbers that activations, deltas and the products' copies of the weights are
// kept in. Everything is computed in float32 and rounded to nearest when stored.

template <typename Stored>
static __device__ Stored stored(float value);

template <>
__device__ inline float stored<float>(float value)
{
    return value;
}
template <>
__device__ inline __half stored<__half>(float value)
{
    return __float2half_rn(value);
}
template <>
__device__ inline __nv_bfloat16 stored<__nv_bfloat16>(float value)
{
    return __float2bfloat16_rn(value);
}

static __device__ inline float loaded(float value)
{
    return value;
}
static __device__ inline float loaded(__half value)
{
    return __half2float(value);
}
static __device__ inline float loaded(__nv_bfloat16 value)
{
    return __bfloat162float(value);
}

/// What a thread reads and writes at once: 16 bytes. Columns are multiples of it.
template <typename Stored>
struct alignas(16) Pack
{
    static constexpr int size = static_cast<int>(16 / sizeof(Stored));
    Stored values[size];
};

} // namespace fullbatch
