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
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);

    void append(std::span<const float> values);
    void clear();

    [[nodiscard]] std::size_t size() const { return m_values.size(); }
    [[nodiscard]] float operator[](std::size_t index) const { return m_values[index]; }

    /// Over the values first .. end-1.
    [[nodiscard]] ValueRange range(std::size_t first, std::size_t end) const;

    /// The first and the last index in first .. end-1 whose value is finite; npos when there is
    /// none. As cheap as range(), also over long stretches without a finite value.
    [[nodiscard]] std::size_t firstFinite(std::size_t first, std::size_t end) const;
    [[nodiscard]] std::size_t lastFinite(std::size_t first, std::size_t end) const;

private:
    /// A stretch that one entry of a level covers; level 0 is the values themselves.
    struct Stretch
    {
        std::size_t level = 0;
        std::size_t index = 0;
    };

    [[nodiscard]] const ValueRange& entry(Stretch stretch) const
    {
        return m_levels[stretch.level - 1][stretch.index];
    }
    [[nodiscard]] std::size_t entries(std::size_t level) const;
    [[nodiscard]] bool hasFinite(Stretch stretch) const;
    /// The longest stretch that begins (ends) at a value and does not go beyond a bound.
    [[nodiscard]] Stretch longestFrom(std::size_t first, std::size_t end) const;
    [[nodiscard]] Stretch longestUpTo(std::size_t first, std::size_t end) const;
    [[nodiscard]] std::size_t endOf(Stretch stretch) const;
    [[nodiscard]] ValueRange rangeOfChildren(std::size_t level, std::size_t index) const;

    std::vector<float> m_values;
    // m_levels[k][i]: values i * 16^(k+1) .. (i+1) * 16^(k+1) - 1, fewer in the last entry
    std::vector<std::vector<ValueRange>> m_levels;
};

} // namespace fullbatch
