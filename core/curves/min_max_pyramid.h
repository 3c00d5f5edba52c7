// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fullbatch {

/// Smallest and largest finite value of a stretch of a series, and how many values were not finite.
struct ValueRange
{
    float minimum = 0;
    float maximum = 0;
    std::uint32_t finite = 0; ///< how many finite values; 0: minimum and maximum mean nothing
    std::uint32_t notFinite = 0;
};

/// A growing series of values (index = epoch) with the minimum and maximum of every aligned stretch
/// of 16, 256, 4096 ... values, extended as values arrive. So the range of any stretch costs
/// a few dozen steps, and no spike is ever lost to drawing. One thread; a plain value.
class MinMaxPyramid
{
public:
    static constexpr std::size_t fanOut = 16;

    void append(std::span<const float> values);
    void clear();

    [[nodiscard]] std::size_t size() const { return m_values.size(); }
    [[nodiscard]] float operator[](std::size_t index) const { return m_values[index]; }

    /// Over the values first .. end-1.
    [[nodiscard]] ValueRange range(std::size_t first, std::size_t end) const;

private:
    std::vector<float> m_values;
    std::vector<std::vector<ValueRange>> m_levels; // m_levels[k][i]: values i * 16^(k+1) and on
};

} // namespace fullbatch
