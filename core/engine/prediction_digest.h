// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fullbatch {

/// One row's part of EpochMetrics::predictionDigest: the finaliser of SplitMix64 (G. Steele et al.,
/// "Fast splittable pseudorandom number generators", 2014) of row * 65536 + class.
[[nodiscard]] constexpr std::uint64_t predictionDigest(std::uint64_t row, std::uint64_t predicted)
{
    std::uint64_t bits = row * 65536 + predicted + 0x9e3779b97f4a7c15U;
    bits = (bits ^ (bits >> 30U)) * 0xbf58476d1ce4e5b9U;
    bits = (bits ^ (bits >> 27U)) * 0x94d049bb133111ebU;
    return bits ^ (bits >> 31U);
}

} // namespace fullbatch
