// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curves/min_max_pyramid.h"

#include <algorithm>
#include <cmath>

namespace fullbatch {

namespace {

constexpr unsigned fanOutBits = 4;
static_assert(MinMaxPyramid::fanOut == 1U << fanOutBits);

constexpr unsigned shiftOf(std::size_t level)
{
    return fanOutBits * static_cast<unsigned>(level);
}

void include(ValueRange& range, float value)
{
    if (!std::isfinite(value)) {
        ++range.notFinite;
        return;
    }
    range.minimum = range.finite == 0 ? value : std::min(range.minimum, value);
    range.maximum = range.finite == 0 ? value : std::max(range.maximum, value);
    ++range.finite;
}

void include(ValueRange& range, const ValueRange& part)
{
    range.notFinite += part.notFinite;
    if (part.finite == 0)
        return;
    range.minimum = range.finite == 0 ? part.minimum : std::min(range.minimum, part.minimum);
    range.maximum = range.finite == 0 ? part.maximum : std::max(range.maximum, part.maximum);
    range.finite += part.finite;
}

} // namespace

void MinMaxPyramid::append(std::span<const float> values)
{
    const std::size_t sizeBefore = m_values.size();
    m_values.insert(m_values.end(), values.begin(), values.end());
    // Only the entry that was the last one of its level, and new ones, change.
    for (std::size_t level = 1; entries(level - 1) > 1; ++level) {
        if (m_levels.size() < level)
            m_levels.emplace_back();
        std::vector<ValueRange>& ranges = m_levels[level - 1];
        const std::size_t firstChanged =
            ranges.empty() ? 0 : std::min(sizeBefore >> shiftOf(level), ranges.size());
        ranges.resize(((m_values.size() - 1) >> shiftOf(level)) + 1);
        for (std::size_t i = firstChanged; i < ranges.size(); ++i)
            ranges[i] = rangeOfChildren(level, i);
    }
}

void MinMaxPyramid::clear()
{
    m_values.clear();
    m_levels.clear();
}

ValueRange MinMaxPyramid::range(std::size_t first, std::size_t end) const
{
    end = std::min(end, size());
    ValueRange range;
    while (first < end) {
        const Stretch stretch = longestFrom(first, end);
        if (stretch.level == 0)
            include(range, m_values[stretch.index]);
        else
            include(range, entry(stretch));
        first = endOf(stretch);
    }
    return range;
}

std::size_t MinMaxPyramid::firstFinite(std::size_t first, std::size_t end) const
{
    end = std::min(end, size());
    while (first < end) {
        Stretch stretch = longestFrom(first, end);
        if (!hasFinite(stretch)) {
            first = endOf(stretch);
            continue;
        }
        while (stretch.level > 0) {
            stretch = {stretch.level - 1, stretch.index << fanOutBits};
            while (!hasFinite(stretch))
                ++stretch.index;
        }
        return stretch.index;
    }
    return npos;
}

std::size_t MinMaxPyramid::lastFinite(std::size_t first, std::size_t end) const
{
    end = std::min(end, size());
    while (first < end) {
        Stretch stretch = longestUpTo(first, end);
        if (!hasFinite(stretch)) {
            end = stretch.index << shiftOf(stretch.level);
            continue;
        }
        while (stretch.level > 0) {
            const std::size_t lastChild = (stretch.index << fanOutBits) + fanOut - 1;
            stretch = {stretch.level - 1, std::min(lastChild, entries(stretch.level - 1) - 1)};
            while (!hasFinite(stretch))
                --stretch.index;
        }
        return stretch.index;
    }
    return npos;
}

std::size_t MinMaxPyramid::entries(std::size_t level) const
{
    return level == 0 ? m_values.size() : m_levels[level - 1].size();
}

bool MinMaxPyramid::hasFinite(Stretch stretch) const
{
    return stretch.level == 0 ? std::isfinite(m_values[stretch.index]) : entry(stretch).finite > 0;
}

std::size_t MinMaxPyramid::endOf(Stretch stretch) const
{
    return std::min((stretch.index + 1) << shiftOf(stretch.level), size());
}

MinMaxPyramid::Stretch MinMaxPyramid::longestFrom(std::size_t first, std::size_t end) const
{
    Stretch stretch{0, first};
    while (stretch.level < m_levels.size() && stretch.index % fanOut == 0) {
        const Stretch parent{stretch.level + 1, stretch.index >> fanOutBits};
        if (endOf(parent) > end)
            break;
        stretch = parent;
    }
    return stretch;
}

MinMaxPyramid::Stretch MinMaxPyramid::longestUpTo(std::size_t first, std::size_t end) const
{
    Stretch stretch{0, end - 1};
    while (stretch.level < m_levels.size()) {
        const Stretch parent{stretch.level + 1, stretch.index >> fanOutBits};
        if (endOf(parent) != end || parent.index << shiftOf(parent.level) < first)
            break;
        stretch = parent;
    }
    return stretch;
}

ValueRange MinMaxPyramid::rangeOfChildren(std::size_t level, std::size_t index) const
{
    const std::size_t first = index << fanOutBits;
    const std::size_t end = std::min(first + fanOut, entries(level - 1));
    ValueRange range;
    for (std::size_t i = first; i < end; ++i) {
        if (level == 1)
            include(range, m_values[i]);
        else
            include(range, m_levels[level - 2][i]);
    }
    return range;
}

} // namespace fullbatch
