// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/curves/min_max_pyramid.h"

#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <vector>

namespace fullbatch {

/// Values between 0 and 100 with single NaN and infinities and one long stretch of NaN.
[[nodiscard]] inline std::vector<float> spottedSeries(std::size_t size, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<float> values(size);
    for (float& value : values) {
        const auto draw = random() % 1000;
        value = draw == 0 ? std::numeric_limits<float>::quiet_NaN()
            : draw == 1   ? std::numeric_limits<float>::infinity()
            : draw == 2   ? -std::numeric_limits<float>::infinity()
                          : static_cast<float>(random() % 100'000) / 1000;
    }
    for (std::size_t i = size / 3; i < size / 2; ++i)
        values[i] = std::numeric_limits<float>::quiet_NaN();
    return values;
}

/// What MinMaxPyramid::range() promises, one value after the other.
[[nodiscard]] inline ValueRange plainRange(const std::vector<float>& values, std::size_t first,
                                           std::size_t end)
{
    ValueRange range;
    for (std::size_t i = first; i < end && i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
            ++range.notFinite;
            continue;
        }
        if (range.finite == 0 || values[i] < range.minimum)
            range.minimum = values[i];
        if (range.finite == 0 || values[i] > range.maximum)
            range.maximum = values[i];
        ++range.finite;
    }
    return range;
}

/// Equal in everything that means something.
[[nodiscard]] inline bool same(const ValueRange& a, const ValueRange& b)
{
    return a.finite == b.finite && a.notFinite == b.notFinite
        && (a.finite == 0 || (a.minimum == b.minimum && a.maximum == b.maximum));
}

} // namespace fullbatch
