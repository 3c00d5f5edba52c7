// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/curves/min_max_pyramid.h"

#include <vector>

namespace fullbatch {

/// What one column of pixels shows of a curve.
struct PixelColumn
{
    ValueRange range; ///< empty (finite and notFinite 0) when no epoch falls into the column
    float first = 0; ///< the column's first and last finite value, to join it to its neighbours
    float last = 0;
};

/// The columns of a plot whose x axis runs from epoch `fromEpoch` to `toEpoch` (fractions are
/// allowed, also beyond the series) over `columns` pixels. Column c shows the epochs e with
/// edge(c) <= e < edge(c + 1), edge(c) = fromEpoch + (toEpoch - fromEpoch) * c / columns; the last
/// column also the epoch at toEpoch itself. All columns are empty for an axis that runs backwards
/// or is not finite. The cost depends on `columns`, hardly on the length of the series.
[[nodiscard]] std::vector<PixelColumn> pixelColumns(const MinMaxPyramid& series, double fromEpoch,
                                                    double toEpoch, std::size_t columns);

} // namespace fullbatch
