// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"

#include <bit>
#include <cstdint>

namespace fullbatch {

// What the reduced precisions make of a number that a product reads: the nearest number of the
// format, of two equally near ones that whose last bit is 0 (IEEE 754-2019, 4.3.1). Beyond the
// largest number lies infinity; below the smallest normal number the steps stay equal, down to 0.
// Infinities, signs of zeros and NaNs stay. Results are float32, which holds all three formats.

/// Rounds away the last `dropped` of the 23 fraction bits; the exponents are float32's.
template <unsigned int dropped>
[[nodiscard]] constexpr float withoutFractionBits(float value)
{
    constexpr std::uint32_t infinity = 0x7f800000U;
    const auto bits = std::bit_cast<std::uint32_t>(value);
    // A carry out of the fraction is the next exponent, and out of the last exponent infinity.
    const std::uint32_t lastKept = (bits >> dropped) & 1U;
    const std::uint32_t rounded = (bits + (1U << (dropped - 1)) - 1U + lastKept) >> dropped
            << dropped;
    return (bits & 0x7fffffffU) > infinity ? value : std::bit_cast<float>(rounded);
}

/// 8 bits of exponent, 10 of fraction.
[[nodiscard]] constexpr float roundedToTf32(float value)
{
    return withoutFractionBits<13>(value);
}

/// 8 bits of exponent, 7 of fraction.
[[nodiscard]] constexpr float roundedToBf16(float value)
{
    return withoutFractionBits<16>(value);
}

/// IEEE 754's binary16: 5 bits of exponent, 10 of fraction.
[[nodiscard]] constexpr float roundedToFp16(float value)
{
    constexpr std::uint32_t signBit = 0x80000000U;
    constexpr std::uint32_t infinity = 0x7f800000U;
    constexpr std::uint32_t smallestNormal = 0x38800000U; // 2^-14
    constexpr std::uint32_t beyondLargest = 0x47800000U; // 2^16
    const std::uint32_t sign = std::bit_cast<std::uint32_t>(value) & signBit;
    const std::uint32_t magnitude = std::bit_cast<std::uint32_t>(value) & ~signBit;
    const auto normal =
        std::bit_cast<std::uint32_t>(withoutFractionBits<13>(std::bit_cast<float>(magnitude)));
    // Behind 0.5 float32's steps are 2^-24, those of the format's smallest numbers.
    const auto small = std::bit_cast<float>(magnitude < smallestNormal ? magnitude : 0U);
    const auto subnormal = std::bit_cast<std::uint32_t>((small + 0.5F) - 0.5F);
    std::uint32_t rounded = magnitude < smallestNormal ? subnormal : normal;
    rounded = rounded >= beyondLargest && magnitude <= infinity ? infinity : rounded;
    return std::bit_cast<float>(sign | rounded);
}

/// As a product in this precision reads the value; fp32 and fp64 leave it as it is.
[[nodiscard]] constexpr float roundedFor(Precision precision, float value)
{
    switch (precision) {
    case Precision::Tf32:
        return roundedToTf32(value);
    case Precision::Bf16:
        return roundedToBf16(value);
    case Precision::Fp16:
        return roundedToFp16(value);
    case Precision::Fp32:
    case Precision::Fp64:
        break;
    }
    return value;
}

/// Whether roundedFor() changes anything.
[[nodiscard]] constexpr bool roundsInputs(Precision precision)
{
    return precision != Precision::Fp32 && precision != Precision::Fp64;
}

} // namespace fullbatch
