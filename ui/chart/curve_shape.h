// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart/axis_ticks.h"
#include "ui/chart/run_curve.h"

#include <QLineF>
#include <QPointF>
#include <QPolygonF>
#include <QRectF>

namespace fullbatch {

/// A plot area and what its axes show: the map from epochs and values to places.
struct PlotFrame
{
    QRectF area;
    AxisRange epochs;
    AxisRange values; ///< in the units of `scale`
    ValueScale scale;
    double pixelsPerUnit = 1; ///< device pixels of one unit of `area`

    [[nodiscard]] double x(double epoch) const
    {
        return area.left() + (epoch - epochs.from) / epochs.length() * area.width();
    }
    [[nodiscard]] double y(double value) const
    {
        return area.bottom()
            - (scale.position(value) - values.from) / values.length() * area.height();
    }
    [[nodiscard]] double epochAt(double x) const
    {
        return epochs.from + (x - area.left()) / area.width() * epochs.length();
    }
    /// In the units of `scale`.
    [[nodiscard]] double positionAt(double y) const
    {
        return values.from + (area.bottom() - y) / area.height() * values.length();
    }
};

/// What is to be drawn of a curve; everything lies inside the plot area. At most a few points for
/// each column of device pixels, however many epochs there are.
struct CurveShape
{
    QList<QPolygonF> lines; ///< at least two points each
    /// Vertical, from the smallest to the largest value of a column whose values differ visibly.
    QList<QLineF> spans;
    QList<QPointF> dots; ///< finite values between values that are not
};

[[nodiscard]] CurveShape traceTraining(const PlotFrame& frame, const MinMaxPyramid& series);
/// Straight lines between the measured epochs.
[[nodiscard]] CurveShape traceTest(const PlotFrame& frame, const RunCurve::TestCurve& test);

} // namespace fullbatch
