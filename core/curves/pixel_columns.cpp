// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curves/pixel_columns.h"

#include <algorithm>
#include <cmath>

namespace fullbatch {

namespace {

/// The first index of the series at or after `epoch`, at most its size.
std::size_t indexFrom(double epoch, const MinMaxPyramid& series)
{
    const double size = static_cast<double>(series.size());
    return static_cast<std::size_t>(std::clamp(std::ceil(epoch), 0.0, size));
}

PixelColumn column(const MinMaxPyramid& series, std::size_t first, std::size_t end)
{
    PixelColumn result;
    result.range = series.range(first, end);
    if (result.range.finite > 0) {
        result.first = series[series.firstFinite(first, end)];
        result.last = series[series.lastFinite(first, end)];
    }
    return result;
}

} // namespace

std::vector<PixelColumn> pixelColumns(const MinMaxPyramid& series, double fromEpoch, double toEpoch,
                                      std::size_t columns)
{
    std::vector<PixelColumn> result(columns);
    const double width = toEpoch - fromEpoch;
    if (columns == 0 || !std::isfinite(width) || width < 0)
        return result;

    std::size_t first = indexFrom(fromEpoch, series);
    for (std::size_t c = 0; c < columns; ++c) {
        const double rightEdge =
            fromEpoch + width * static_cast<double>(c + 1) / static_cast<double>(columns);
        const std::size_t end = c + 1 < columns ? indexFrom(rightEdge, series)
                                                : indexFrom(std::floor(toEpoch) + 1, series);
        if (first < end)
            result[c] = column(series, first, end);
        first = std::max(first, end);
    }
    return result;
}

} // namespace fullbatch
