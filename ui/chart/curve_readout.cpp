// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/curve_readout.h"

#include "ui/chart/curve_chart.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace fullbatch {
namespace {

constexpr double padding = 8;
constexpr double swatch = 14;

QString translated(const char* text)
{
    return QCoreApplication::translate("CurveReadout", text);
}

} // namespace

CurveReadout::CurveReadout(CurveChart& chart) : QGraphicsItem(&chart), m_chart(chart)
{
    setAcceptedMouseButtons(Qt::NoButton);
    setZValue(60); // over the curves
    QObject::connect(&chart, &CurveChart::frameChanged, &chart, [this] {
        prepareGeometryChange();
        update();
    });
}

void CurveReadout::setEpoch(std::optional<std::size_t> epoch)
{
    m_epoch = epoch;
    update();
}

void CurveReadout::setFont(const QFont& font)
{
    m_font = font;
    update();
}

QString CurveReadout::number(double value) const
{
    if (!std::isfinite(value))
        return translated("not finite");
    // Every digit of a share of a few thousand rows, or of a float32 loss.
    const bool percent = m_chart.quantity() == Quantity::TrainingError;
    return chartLocale().toString(value, 'g', percent ? 7 : 9);
}

QString CurveReadout::valueText(const RunCurve& curve) const
{
    const bool percent = m_chart.quantity() == Quantity::TrainingError;
    QString text = number(curve.exactValue(*m_epoch));
    if (percent)
        text += QStringLiteral(" %");
    // One pixel may hold hundreds of epochs: tell how far they reach, so that no spike hides.
    const PlotFrame& frame = m_chart.frame();
    const double half = frame.epochs.length() / std::max(1.0, frame.area.width()) / 2;
    const auto epoch = static_cast<double>(*m_epoch);
    const ValueRange range =
        curve.training().range(static_cast<std::size_t>(std::max(0.0, std::ceil(epoch - half))),
                               static_cast<std::size_t>(std::floor(epoch + half)) + 1);
    const double height = frame.y(range.minimum) - frame.y(range.maximum);
    if (range.finite > 1 && height > 4)
        text += translated("   (%1 to %2 here)")
                    .arg(chartLocale().toString(range.minimum, 'g', 4),
                         chartLocale().toString(range.maximum, 'g', 4));
    return text;
}

std::vector<CurveReadout::Row> CurveReadout::rows() const
{
    std::vector<Row> result;
    result.push_back(
        {translated("Epoch %1").arg(chartLocale().toString(static_cast<qulonglong>(*m_epoch))),
         {}});
    for (const auto& curve : m_chart.runs())
        if (curve->visible && *m_epoch < curve->training().size())
            result.push_back({curve->name + QStringLiteral(": ") + valueText(*curve),
                              curve->style().colour(m_chart.colours().dark)});
    return result;
}

QString CurveReadout::text() const
{
    if (!m_epoch)
        return {};
    QStringList lines;
    for (const Row& row : rows())
        lines.push_back(row.text);
    return lines.join(QLatin1Char('\n'));
}

QRectF CurveReadout::boundingRect() const
{
    return m_chart.frame().area;
}

void CurveReadout::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/,
                         QWidget* /*widget*/)
{
    const PlotFrame& frame = m_chart.frame();
    if (!m_epoch)
        return;
    const double x = frame.x(static_cast<double>(*m_epoch));
    if (x < frame.area.left() || x > frame.area.right())
        return;
    const ChartColours& colours = m_chart.colours();
    painter->setPen(QPen(colours.text, 1));
    painter->drawLine(QPointF(x, frame.area.top()), QPointF(x, frame.area.bottom()));

    const std::vector<Row> lines = rows();
    const QFontMetricsF metrics(m_font);
    double width = 0;
    for (const Row& row : lines)
        width = std::max(width, metrics.horizontalAdvance(row.text));
    const double height = metrics.lineSpacing();
    QRectF box(x + 12, frame.area.top() + 8, width + swatch + 3 * padding,
               height * static_cast<double>(lines.size()) + 2 * padding);
    if (box.right() > frame.area.right())
        box.moveRight(x - 12);
    if (box.left() < frame.area.left())
        box.moveLeft(frame.area.left());
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(QPen(colours.axis, 1));
    painter->setBrush(colours.readout);
    painter->drawRoundedRect(box, 4, 4);
    painter->setFont(m_font);
    double top = box.top() + padding;
    for (const Row& row : lines) {
        if (row.colour.isValid())
            painter->fillRect(QRectF(box.left() + padding, top + height / 2 - 3, swatch, 6),
                              row.colour);
        painter->setPen(colours.text);
        painter->drawText(QRectF(box.left() + 2 * padding + swatch, top, width + padding, height),
                          Qt::AlignVCenter | Qt::AlignLeft, row.text);
        top += height;
    }
}

} // namespace fullbatch
