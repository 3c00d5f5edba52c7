// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart/curve_shape.h"
#include "ui/chart/run_style.h"

#include <QFont>
#include <QGraphicsItem>

#include <memory>
#include <vector>

namespace fullbatch {

using RunCurves = std::vector<std::unique_ptr<RunCurve>>;

/// Draws the curves of all visible runs, with their marks, over the plot area of a chart. The cost
/// depends on the pixels, not on the epochs.
class CurveItem : public QGraphicsItem
{
public:
    /// `curves` belong to the parent, which outlives the item.
    CurveItem(const RunCurves& curves, QGraphicsItem* parent);

    /// Where and at what scale to draw from now on.
    void setFrame(const PlotFrame& frame);
    [[nodiscard]] const PlotFrame& frame() const { return m_frame; }
    void setColours(const ChartColours& colours);
    void setPenWidth(double width);
    void setFont(const QFont& font);

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    void paintCurve(QPainter& painter, const PlotFrame& frame, const RunCurve& curve) const;
    void paintMarks(QPainter& painter, const RunCurve& curve) const;
    void paintMark(QPainter& painter, const RunCurve& curve, const RunCurve::Mark& mark) const;
    void paintZeroLine(QPainter& painter) const;

    const RunCurves& m_curves;
    PlotFrame m_frame;
    ChartColours m_colours = ChartColours::paper();
    QFont m_font;
    double m_penWidth = 2;
};

} // namespace fullbatch
