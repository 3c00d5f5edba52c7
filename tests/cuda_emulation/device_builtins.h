// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What nvcc defines inside device code. These names are CUDA's own, hence outside our namespace.

#include <cuda_runtime_api.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// Shared memory lies in one section of the program; a block finds it full of NaN.
#undef __shared__
#define __shared__ static __attribute__((section("fullbatch_shared")))
#undef __launch_bounds__
#define __launch_bounds__(...)

// Set for the thread whose turn it is; kernels only read them.
extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;
inline constexpr int warpSize = 32;

namespace fullbatch::emulation {

/// Where in the kernel's source a thread waits: all that wait together must wait at one place.
struct SourcePlace
{
    const char* file = "";
    int line = 0;
    bool operator==(const SourcePlace& other) const
    {
        return line == other.line && (file == other.file || std::strcmp(file, other.file) == 0);
    }
};

enum class Exchange { None, Index, Up, Down, Xor };

/// What the lanes of a warp do together.
struct WarpOperation
{
    Exchange exchange = Exchange::None;
    unsigned mask = 0; ///< the lanes that take part
    int width = warpSize; ///< lanes of a segment
    SourcePlace place;
    bool operator==(const WarpOperation&) const = default;
};

void waitForBlock(SourcePlace place);
/// Gives `bits` to the other lanes and returns those of the lane that `argument` leads to. The
/// operation must live until the return.
std::uint64_t waitForWarp(const WarpOperation& operation, std::uint64_t bits, int argument);

template <class T>
T shuffle(const WarpOperation& operation, T value, int argument)
{
    static_assert(std::is_arithmetic_v<T> && sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(T));
    bits = waitForWarp(operation, bits, argument);
    std::memcpy(&value, &bits, sizeof(T));
    return value;
}

} // namespace fullbatch::emulation

inline void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    fullbatch::emulation::waitForBlock({file, line});
}

inline void __syncwarp(unsigned mask = 0xffffffffU, const char* file = __builtin_FILE(),
                       int line = __builtin_LINE())
{
    fullbatch::emulation::waitForWarp({.mask = mask, .place = {file, line}}, 0, 0);
}

template <class T>
T __shfl_sync(unsigned mask, T value, int lane, int width = warpSize,
              const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    using namespace fullbatch::emulation;
    return shuffle<T>({Exchange::Index, mask, width, {file, line}}, value, lane);
}

template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                 const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    using namespace fullbatch::emulation;
    return shuffle<T>({Exchange::Up, mask, width, {file, line}}, value, static_cast<int>(delta));
}

template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                   const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    using namespace fullbatch::emulation;
    return shuffle<T>({Exchange::Down, mask, width, {file, line}}, value, static_cast<int>(delta));
}

template <class T>
T __shfl_xor_sync(unsigned mask, T value, int laneMask, int width = warpSize,
                  const char* file = __builtin_FILE(), int line = __builtin_LINE())
{
    using namespace fullbatch::emulation;
    return shuffle<T>({Exchange::Xor, mask, width, {file, line}}, value, laneMask);
}

inline void __threadfence() { }
inline void __threadfence_block() { }

template <class T>
T __ldg(const T* address)
{
    return *address;
}

// Only one thread runs at a time, so plain reads and writes are atomic. Integers alone: sums of
// floats in no fixed order would not repeat.
template <class T>
concept AtomicInteger =
    std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, unsigned long long>;

template <AtomicInteger T>
T atomicAdd(T* address, std::type_identity_t<T> value)
{
    const T old = *address;
    *address = static_cast<T>(static_cast<unsigned long long>(old)
                              + static_cast<unsigned long long>(value));
    return old;
}

template <AtomicInteger T>
T atomicCAS(T* address, std::type_identity_t<T> expected, std::type_identity_t<T> desired)
{
    const T old = *address;
    if (old == expected)
        *address = desired;
    return old;
}

template <AtomicInteger T>
T atomicExch(T* address, std::type_identity_t<T> value)
{
    const T old = *address;
    *address = value;
    return old;
}

// Single operations, rounded to nearest, never contracted.
inline float __fadd_rn(float a, float b)
{
    return a + b;
}
inline float __fsub_rn(float a, float b)
{
    return a - b;
}
inline float __fmul_rn(float a, float b)
{
    return a * b;
}
inline float __fdiv_rn(float a, float b)
{
    return a / b;
}
inline float __fsqrt_rn(float a)
{
    return std::sqrt(a);
}
inline float __fmaf_rn(float a, float b, float c)
{
    return std::fma(a, b, c);
}
inline unsigned __float_as_uint(float value)
{
    return std::bit_cast<unsigned>(value);
}
inline int __float_as_int(float value)
{
    return std::bit_cast<int>(value);
}
inline float __uint_as_float(unsigned bits)
{
    return std::bit_cast<float>(bits);
}
inline float __int_as_float(int bits)
{
    return std::bit_cast<float>(bits);
}

using std::isfinite;
using std::isinf;
using std::isnan;
