// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/curves/min_max_pyramid.h"

#include <vector>

namespace fullbatch {

/// What one column of pixels shows of a curve.
struct PixelColumn
{
    ValueRange range;
    float first = 0; ///< the column's first and last finite value, to join it to its neighbours
    float last = 0;
};

/// The columns of a plot whose x axis runs from epoch `fromEpoch` to `toEpoch` (fractions are
/// allowed) over `columns` pixels. Costs the same for any length of the series.
[[nodiscard]] std::vector<PixelColumn> pixelColumns(const MinMaxPyramid& series, double fromEpoch,
                                                    double toEpoch, std::size_t columns);

} // namespace fullbatch
