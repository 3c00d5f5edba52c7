// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <library_types.h>

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

/// Numbers as matrices hold them. Readers give what stands there, writers round to the nearest,
/// ties to even; both are types, so that loops over a matrix are made for one of them.
namespace fullbatch::emulation::cublaslt {

/// To the nearest float32 with 10 bits of mantissa, ties to even; NaN and infinity stay.
[[nodiscard]] inline float roundedToTf32(float value)
{
    if (!std::isfinite(value))
        return value;
    auto bits = std::bit_cast<std::uint32_t>(value);
    bits += 0xfffU + (bits >> 13 & 1U);
    return std::bit_cast<float>(bits & ~std::uint32_t{0x1fff});
}

struct ReadFloat
{
    using Stored = float;
    static double value(float stored) { return stored; }
};

struct ReadTf32
{
    using Stored = float;
    static double value(float stored) { return roundedToTf32(stored); }
};

struct ReadHalf
{
    using Stored = std::uint16_t;
    static double value(std::uint16_t stored)
    {
        static const std::vector<float> values = [] {
            std::vector<float> all(65536);
            for (std::size_t bits = 0; bits < all.size(); ++bits)
                all[bits] = __half2float(std::bit_cast<__half>(static_cast<std::uint16_t>(bits)));
            return all;
        }();
        return values[stored];
    }
};

struct ReadBfloat16
{
    using Stored = std::uint16_t;
    static double value(std::uint16_t stored)
    {
        return std::bit_cast<float>(static_cast<std::uint32_t>(stored) << 16);
    }
};

/// Calls function with the reader of a matrix.
template <typename Function>
void withReader(std::uint32_t type, bool tf32, const Function& function)
{
    if (type == CUDA_R_16F)
        function(ReadHalf{});
    else if (type == CUDA_R_16BF)
        function(ReadBfloat16{});
    else if (tf32)
        function(ReadTf32{});
    else
        function(ReadFloat{});
}

struct WriteFloat
{
    using Stored = float;
    static float stored(float value) { return value; }
};

struct WriteHalf
{
    using Stored = std::uint16_t;
    /// As __float2half_rn, which takes long for what is neither tiny nor huge.
    static std::uint16_t stored(float value)
    {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        const std::uint32_t size = bits & 0x7fffffffU;
        const std::uint32_t sign = bits >> 16 & 0x8000U;
        if (size >= 0x38800000U && size < 0x477fe000U) // 2^-14 to below 65504
            return static_cast<std::uint16_t>(
                sign | (size - 0x38000000U + 0xfffU + (size >> 13 & 1U)) >> 13);
        if (size == 0)
            return static_cast<std::uint16_t>(sign);
        return std::bit_cast<std::uint16_t>(__float2half_rn(value));
    }
};

struct WriteBfloat16
{
    using Stored = std::uint16_t;
    static std::uint16_t stored(float value)
    {
        return std::bit_cast<std::uint16_t>(__float2bfloat16_rn(value));
    }
};

/// Calls function with the writer of a matrix.
template <typename Function>
void withWriter(std::uint32_t type, const Function& function)
{
    if (type == CUDA_R_16F)
        function(WriteHalf{});
    else if (type == CUDA_R_16BF)
        function(WriteBfloat16{});
    else
        function(WriteFloat{});
}

inline void writeElement(void* begin, std::uint32_t type, std::size_t index, double value)
{
    withWriter(type, [&](auto writer) {
        using Writer = decltype(writer);
        static_cast<typename Writer::Stored*>(begin)[index] =
            Writer::stored(static_cast<float>(value));
    });
}

inline double readElement(const void* begin, std::uint32_t type, std::size_t index)
{
    double value = 0;
    withReader(type, false, [&](auto reader) {
        using Reader = decltype(reader);
        value = Reader::value(static_cast<const typename Reader::Stored*>(begin)[index]);
    });
    return value;
}

} // namespace fullbatch::emulation::cublaslt
