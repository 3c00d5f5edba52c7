// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart/curve_item.h"

#include <optional>

namespace fullbatch {

class CurveChart;

/// What every visible curve is worth at one epoch: a line through the plot area and a box with the
/// exact values, read from the runs' logs.
class CurveReadout : public QGraphicsItem
{
public:
    /// `chart` becomes the parent item.
    explicit CurveReadout(CurveChart& chart);

    /// None hides it.
    void setEpoch(std::optional<std::size_t> epoch);
    [[nodiscard]] std::optional<std::size_t> epoch() const { return m_epoch; }
    void setFont(const QFont& font);

    /// The same in words, a line each: "Epoch 1,000", "4 x 63: 5.25 %".
    [[nodiscard]] QString text() const;

    [[nodiscard]] QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    struct Row
    {
        QString text;
        QColor colour;
    };
    [[nodiscard]] std::vector<Row> rows() const;
    [[nodiscard]] QString valueText(const RunCurve& curve) const;
    [[nodiscard]] QString number(double value) const;

    const CurveChart& m_chart;
    std::optional<std::size_t> m_epoch;
    QFont m_font;
};

} // namespace fullbatch
