// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/curve_item.h"

#include "ui/chart/span_painter.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>

#include <cmath>

namespace fullbatch {
namespace {

constexpr double dotRadius = 3;
constexpr double crossRadius = 6;
constexpr double triangleHeight = 9;

void paintLines(QPainter& painter, const QList<QPolygonF>& lines, QPen pen)
{
    const bool dashed = pen.style() != Qt::SolidLine;
    double drawn = 0; // of the dashes, in pen widths
    QPointF end;
    painter.setPen(pen);
    for (const QPolygonF& line : lines) {
        if (dashed) {
            // A curve comes in pieces: its dashes go on from one to the next.
            pen.setDashOffset(line.front() == end ? drawn : 0);
            painter.setPen(pen);
            drawn = pen.dashOffset();
            for (qsizetype i = 1; i < line.size(); ++i)
                drawn += QLineF(line[i - 1], line[i]).length() / pen.widthF();
            end = line.back();
        }
        painter.drawPolyline(line);
    }
}

void paintShape(QPainter& painter, const CurveShape& shape, const QPen& pen)
{
    paintSpans(painter, shape.spans, pen.color(), pen.widthF());
    paintLines(painter, shape.lines, pen);
    painter.setPen(Qt::NoPen);
    painter.setBrush(pen.color());
    for (const QPointF& dot : shape.dots)
        painter.drawEllipse(dot, dotRadius, dotRadius);
    painter.setBrush(Qt::NoBrush);
}

QString textOf(const RunCurve::Mark& mark)
{
    const QLocale locale = chartLocale();
    if (mark.kind == RunCurve::Mark::Kind::Diverged)
        return QCoreApplication::translate("CurveItem", "diverged at epoch %1")
            .arg(locale.toString(static_cast<qulonglong>(mark.epoch)));
    return QCoreApplication::translate("CurveItem", "learning rate %1")
        .arg(locale.toString(mark.learningRate, 'g', 6));
}

} // namespace

CurveItem::CurveItem(const RunCurves& curves, QGraphicsItem* parent)
    : QGraphicsItem(parent),
      m_curves(curves)
{
    setAcceptedMouseButtons(Qt::NoButton);
    setZValue(50); // over grid and axes
}

void CurveItem::setFrame(const PlotFrame& frame)
{
    if (frame.area != m_frame.area)
        prepareGeometryChange();
    m_frame = frame;
    update();
}

void CurveItem::setColours(const ChartColours& colours)
{
    m_colours = colours;
    update();
}

void CurveItem::setPenWidth(double width)
{
    m_penWidth = width;
    update();
}

void CurveItem::setFont(const QFont& font)
{
    m_font = font;
    update();
}

QRectF CurveItem::boundingRect() const
{
    // A line along the edge has its full thickness.
    return m_frame.area.adjusted(-m_penWidth, -m_penWidth, m_penWidth, m_penWidth);
}

void CurveItem::paint(QPainter* painter, const QStyleOptionGraphicsItem* /*option*/,
                      QWidget* /*widget*/)
{
    if (m_frame.area.isEmpty())
        return;
    painter->setClipRect(boundingRect(), Qt::IntersectClip);
    painter->setRenderHint(QPainter::Antialiasing);
    PlotFrame frame = m_frame;
    const QTransform& device = painter->deviceTransform();
    frame.pixelsPerUnit = std::hypot(device.m11(), device.m12());
    paintZeroLine(*painter);
    for (const auto& curve : m_curves)
        if (curve->visible)
            paintCurve(*painter, frame, *curve);
    for (const auto& curve : m_curves)
        if (curve->visible)
            paintMarks(*painter, *curve);
}

void CurveItem::paintCurve(QPainter& painter, const PlotFrame& frame, const RunCurve& curve) const
{
    const QPen pen = curve.style().pen(m_colours.dark, m_penWidth);
    paintShape(painter, traceTraining(frame, curve.training()), pen);
    if (curve.test().epochs.empty())
        return;
    QPen dotted(pen.color(), m_penWidth);
    dotted.setCapStyle(Qt::FlatCap);
    dotted.setDashPattern({1, 1.5});
    paintShape(painter, traceTest(frame, curve.test()), dotted);
}

void CurveItem::paintMarks(QPainter& painter, const RunCurve& curve) const
{
    painter.setFont(m_font);
    for (const RunCurve::Mark& mark : curve.marks())
        if (const auto epoch = static_cast<double>(mark.epoch);
            epoch >= m_frame.epochs.from && epoch <= m_frame.epochs.to)
            paintMark(painter, curve, mark);
}

// A cross where the curve ends, or a triangle on the epoch axis; beside it what happened.
void CurveItem::paintMark(QPainter& painter, const RunCurve& curve,
                          const RunCurve::Mark& mark) const
{
    const QColor colour = curve.style().colour(m_colours.dark);
    const QRectF& area = m_frame.area;
    QPointF place(m_frame.x(static_cast<double>(mark.epoch)), area.bottom());
    if (mark.kind == RunCurve::Mark::Kind::Diverged) {
        const std::size_t before = mark.epoch > 0 ? mark.epoch - 1 : 0;
        const float last = curve.training()[before];
        const double y = std::isfinite(last) ? m_frame.y(last) : area.center().y();
        place.setY(std::clamp(y, area.top() + crossRadius, area.bottom() - crossRadius));
        painter.setPen(QPen(colour, 1.5 * m_penWidth));
        const QPointF slope(crossRadius, crossRadius);
        const QPointF counter(crossRadius, -crossRadius);
        painter.drawLine(place - slope, place + slope);
        painter.drawLine(place - counter, place + counter);
    } else {
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        const QPointF tip = place - QPointF(0, triangleHeight);
        painter.drawPolygon(QPolygonF(
            {place - QPointF(triangleHeight / 2, 0), tip, place + QPointF(triangleHeight / 2, 0)}));
        painter.setBrush(Qt::NoBrush);
        place.ry() -= triangleHeight;
    }
    const QString text = textOf(mark);
    const QFontMetricsF metrics(m_font);
    QRectF box(QPointF(), metrics.size(0, text) + QSizeF(8, 2));
    box.moveBottomLeft(place + QPointF(crossRadius, -crossRadius));
    if (box.right() > area.right())
        box.moveRight(place.x() - crossRadius);
    if (box.top() < area.top())
        box.moveTop(place.y() + crossRadius);
    painter.fillRect(box, m_colours.background);
    painter.setPen(m_colours.text);
    painter.drawText(box, Qt::AlignCenter, text);
}

void CurveItem::paintZeroLine(QPainter& painter) const
{
    if (!m_frame.scale.logarithmic)
        return;
    const double y = m_frame.y(0);
    if (y < m_frame.area.top() || y > m_frame.area.bottom())
        return;
    QPen pen(m_colours.axis, 1);
    pen.setDashPattern({4, 4});
    painter.setPen(pen);
    painter.drawLine(QPointF(m_frame.area.left(), y), QPointF(m_frame.area.right(), y));
}

} // namespace fullbatch
