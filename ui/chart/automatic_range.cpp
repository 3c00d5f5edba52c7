// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/automatic_range.h"

#include <algorithm>
#include <cmath>

namespace fullbatch {
namespace {

double topOf(const RunCurve::Extent& extent, Quantity quantity)
{
    constexpr double headroom = 1.02; // so that the highest spike does not hide in the frame
    const bool percent = quantity == Quantity::TrainingError;
    if (extent.empty || extent.largest <= 0)
        return percent ? 100 : 2.5;
    const double top = roundedUp(headroom * extent.largest);
    return percent ? std::min(top, 100.0) : top;
}

} // namespace

AxisRange automaticEpochs(std::size_t epochs)
{
    constexpr std::size_t fewest = 10;
    return {0, roundedUp(static_cast<double>(std::max(fewest, epochs)))};
}

AutomaticValues automaticValues(const RunCurve::Extent& extent, Quantity quantity, bool logarithmic)
{
    AutomaticValues result;
    const double top = topOf(extent, quantity);
    if (!logarithmic) {
        result.range = {0, top};
        return result;
    }
    const double smallest =
        std::isfinite(extent.smallestPositive) ? extent.smallestPositive : top / 1000;
    const double high = std::log10(top);
    const double low = std::min(-std::log10(roundedUp(1 / smallest)), high - 0.5);
    const double zeroLine = low - 0.1 * (high - low);
    result.scale = {true, zeroLine};
    result.range = {extent.zero ? low - 0.12 * (high - low) : low, high};
    return result;
}

} // namespace fullbatch
