// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart/axis_ticks.h"
#include "ui/chart/run_curve.h"

namespace fullbatch {

/// The epoch axis for curves of so many epochs.
[[nodiscard]] AxisRange automaticEpochs(std::size_t epochs);

struct AutomaticValues
{
    AxisRange range; ///< in the units of `scale`
    ValueScale scale;
};

/// The value axis for curves of this extent: from 0 on, or on a logarithmic scale from the smallest
/// positive value, with a zero line below it when there is a zero. Both ends are round, so they
/// stay where they are while the data grow a little.
[[nodiscard]] AutomaticValues automaticValues(const RunCurve::Extent& extent, Quantity quantity,
                                              bool logarithmic);

} // namespace fullbatch
