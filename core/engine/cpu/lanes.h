// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A vector of float32 as wide as the instruction set that the including file is compiled for.
// Everything is in an unnamed namespace, and no inline function of the standard library is called:
// the linker would keep one copy of it for the whole program, perhaps the one with instructions
// that an older processor lacks.

#include <cstdint>
#include <cstring>

#if defined(__AVX2__)
#include <immintrin.h>
#endif

namespace fullbatch {
namespace {

#if defined(__AVX512F__)
constexpr int laneCount = 16;
constexpr const char* instructionSetName = "AVX-512";
#elif defined(__AVX2__) && defined(__FMA__)
constexpr int laneCount = 8;
constexpr const char* instructionSetName = "AVX2";
#else
constexpr int laneCount = 4;
constexpr const char* instructionSetName = "baseline";
#endif

using Lanes = float __attribute__((vector_size(laneCount * sizeof(float))));
using IntLanes = std::int32_t __attribute__((vector_size(laneCount * sizeof(std::int32_t))));

inline Lanes load(const float* from)
{
    Lanes lanes;
    std::memcpy(&lanes, from, sizeof lanes);
    return lanes;
}

inline void store(float* to, Lanes lanes)
{
    std::memcpy(to, &lanes, sizeof lanes);
}

// Minus zero leaves every value as it is, so this is no arithmetic (plus zero would turn -0 to 0).
inline Lanes broadcast(float value)
{
    return value - Lanes{};
}

// a * b + c; one rounding where the instruction set has it.
inline Lanes multiplyAdd(Lanes a, Lanes b, Lanes c)
{
#if defined(__AVX512F__)
    return _mm512_fmadd_ps(a, b, c);
#elif defined(__AVX2__) && defined(__FMA__)
    return _mm256_fmadd_ps(a, b, c);
#else
    return a * b + c;
#endif
}

// max(0, x) that keeps a NaN: a diverged network must not look healthy.
inline Lanes rectified(Lanes x)
{
#if defined(__AVX512F__)
    // A NaN gives the second operand. The full mask is folded away; without it GCC 12 warns.
    return _mm512_maskz_max_ps(0xffff, _mm512_setzero_ps(), x);
#elif defined(__AVX2__) && defined(__FMA__)
    return _mm256_max_ps(_mm256_setzero_ps(), x);
#else
    return x < 0 ? Lanes{} : x;
#endif
}

// x where y > 0, else 0.
inline Lanes wherePositive(Lanes x, Lanes y)
{
#if defined(__AVX512F__)
    return _mm512_maskz_mov_ps(_mm512_cmp_ps_mask(y, _mm512_setzero_ps(), _CMP_GT_OQ), x);
#elif defined(__AVX2__) && defined(__FMA__)
    return _mm256_and_ps(_mm256_cmp_ps(y, _mm256_setzero_ps(), _CMP_GT_OQ), x);
#else
    return y > 0 ? x : Lanes{};
#endif
}

// x * slope; nothing passes a slope of 0, not even infinity.
inline Lanes throughSlope(Lanes x, Lanes slope)
{
    return slope == 0 ? Lanes{} : x * slope;
}

// e^(x + rest) for x <= 0 and a rest within 0.1 that would be lost in x, within 2 ulp:
// x = n ln 2 + r, a polynomial in r + rest (S. Moshier, Cephes, expf), times 2^n. Below -87 the
// result stays at e^-87, which is nothing beside a 1. Keeps NaN.
inline Lanes exponential(Lanes x, Lanes rest)
{
    x = x < -87.0F ? broadcast(-87.0F) : x;
    const Lanes rounder = broadcast(12582912.0F); // 1.5 * 2^23: adding it rounds to an integer
    const Lanes shifted = multiplyAdd(x, broadcast(1.44269504088896341F), rounder);
    const Lanes n = shifted - rounder;
    Lanes r = multiplyAdd(n, broadcast(-0.693359375F), x);
    r = multiplyAdd(n, broadcast(2.12194440e-4F), r) + rest;
    Lanes p = broadcast(1.9875691500e-4F);
    p = multiplyAdd(p, r, broadcast(1.3981999507e-3F));
    p = multiplyAdd(p, r, broadcast(8.3334519073e-3F));
    p = multiplyAdd(p, r, broadcast(4.1665795894e-2F));
    p = multiplyAdd(p, r, broadcast(1.6666665459e-1F));
    p = multiplyAdd(p, r, broadcast(5.0000001201e-1F));
    p = multiplyAdd(p * r, r, r) + 1.0F;
    const IntLanes exponent = (IntLanes)shifted - (IntLanes)rounder;
    return (Lanes)((IntLanes)p + (exponent << 23));
}

inline Lanes exponential(Lanes x)
{
    return exponential(x, -Lanes{}); // minus zero: see broadcast()
}

// Exchanges the halves of every stretch of 2 * distance lanes between two rows of a square: one
// step of a transposition.
template <int distance>
inline void exchange(Lanes& upper, Lanes& lower)
{
    IntLanes first;
    IntLanes second;
    for (int lane = 0; lane < laneCount; ++lane) {
        const bool right = (lane & distance) != 0;
        first[lane] = right ? laneCount + lane - distance : lane;
        second[lane] = right ? laneCount + lane : lane + distance;
    }
    const Lanes newUpper = __builtin_shuffle(upper, lower, first);
    lower = __builtin_shuffle(upper, lower, second);
    upper = newUpper;
}

template <int distance = laneCount / 2>
inline void transposeSquare(Lanes (&rows)[laneCount])
{
    if constexpr (distance > 0) {
#pragma GCC unroll 16
        for (int row = 0; row < laneCount; ++row)
            if ((row & distance) == 0)
                exchange<distance>(rows[row], rows[row + distance]);
        transposeSquare<distance / 2>(rows);
    }
}

} // namespace
} // namespace fullbatch
