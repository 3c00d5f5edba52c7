// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/curve_chart_view.h"

#include <QAction>
#include <QElapsedTimer>
#include <QGraphicsRectItem>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace fullbatch {
namespace {

constexpr double keyZoom = 0.7;
constexpr double fewestEpochs = 2; // that a zoom shows
constexpr double smallestDrag = 8; // pixels; less is a click with an unsteady hand

double secondsOf(const QElapsedTimer& timer)
{
    return static_cast<double>(timer.nsecsElapsed()) * 1e-9;
}

} // namespace

CurveChartView::CurveChartView(Quantity quantity, QWidget* parent)
    : QChartView(parent),
      m_curves(new CurveChart(quantity)),
      m_readout(new CurveReadout(*m_curves)),
      m_rubberBand(new QGraphicsRectItem(m_curves))
{
    setChart(m_curves);
    setFrameShape(QFrame::NoFrame);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setContextMenuPolicy(Qt::ActionsContextMenu);
    setAccessibleName(quantity == Quantity::TrainingError ? tr("Chart of the training error")
                                                          : tr("Chart of the training loss"));
    m_rubberBand->setZValue(70);
    m_rubberBand->hide();
    makeActions();
    followPalette();
    followFont();
}

void CurveChartView::makeActions()
{
    m_logarithmic = new QAction(tr("&Logarithmic axis"), this);
    m_logarithmic->setCheckable(true);
    m_logarithmic->setShortcut(Qt::Key_L);
    m_logarithmic->setShortcutContext(Qt::WidgetShortcut);
    connect(m_logarithmic, &QAction::toggled, m_curves, &CurveChart::setLogarithmic);
    m_resetZoom = new QAction(tr("Show &everything"), this);
    m_resetZoom->setShortcut(Qt::Key_Home);
    m_resetZoom->setShortcutContext(Qt::WidgetShortcut);
    connect(m_resetZoom, &QAction::triggered, m_curves, &CurveChart::resetZoom);
    addActions({m_logarithmic, m_resetZoom});
}

bool CurveChartView::pull()
{
    QElapsedTimer timer;
    timer.start();
    const bool more = m_curves->pull();
    m_pullSeconds = secondsOf(timer);
    return more;
}

void CurveChartView::paintEvent(QPaintEvent* event)
{
    QElapsedTimer timer;
    timer.start();
    QChartView::paintEvent(event);
    m_paintSeconds = secondsOf(timer);
}

void CurveChartView::changeEvent(QEvent* event)
{
    QChartView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::StyleChange)
        followPalette();
    else if (event->type() == QEvent::FontChange)
        followFont();
}

void CurveChartView::resizeEvent(QResizeEvent* event)
{
    QChartView::resizeEvent(event);
    followFont();
}

void CurveChartView::followPalette()
{
    const ChartColours colours = ChartColours::of(palette());
    setBackgroundBrush(colours.background);
    m_curves->setColours(colours);
    QColor band = palette().color(QPalette::Highlight);
    m_rubberBand->setPen(QPen(band, 1));
    band.setAlphaF(0.2F);
    m_rubberBand->setBrush(band);
}

void CurveChartView::followFont()
{
    // Larger than a form's text, and more so on a large chart: it is read from the back row.
    const double factor = std::clamp(std::round(height() / 40.0) / 10, 1.25, 1.9);
    QFont tick = font();
    tick.setPointSizeF(font().pointSizeF() * factor);
    QFont title = tick;
    title.setPointSizeF(tick.pointSizeF() * 1.1);
    if (tick == m_curves->tickFont())
        return;
    m_curves->setFonts(tick, title);
    m_readout->setFont(tick);
}

bool CurveChartView::inPlot(const QPointF& place) const
{
    return m_curves->plotArea().contains(m_curves->mapFromScene(mapToScene(place.toPoint())));
}

void CurveChartView::read(double epoch)
{
    std::size_t longest = 0;
    for (const auto& curve : m_curves->runs())
        if (curve->visible)
            longest = std::max(longest, curve->training().size());
    if (longest == 0) {
        m_readout->setEpoch(std::nullopt);
        return;
    }
    const double last = static_cast<double>(longest - 1);
    m_readout->setEpoch(static_cast<std::size_t>(std::clamp(std::round(epoch), 0.0, last)));
}

void CurveChartView::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || !inPlot(event->position())) {
        QChartView::mousePressEvent(event);
        return;
    }
    m_dragFrom = event->position();
    event->accept();
}

void CurveChartView::mouseMoveEvent(QMouseEvent* event)
{
    const QPointF place = m_curves->mapFromScene(mapToScene(event->position().toPoint()));
    if (m_dragFrom) {
        const QPointF from = m_curves->mapFromScene(mapToScene(m_dragFrom->toPoint()));
        m_rubberBand->setRect(QRectF(from, place).normalized() & m_curves->plotArea());
        m_rubberBand->show();
        m_readout->setEpoch(std::nullopt);
    } else if (m_curves->plotArea().contains(place)) {
        read(m_curves->frame().epochAt(place.x()));
    } else {
        m_readout->setEpoch(std::nullopt);
        QChartView::mouseMoveEvent(event);
    }
}

void CurveChartView::mouseReleaseEvent(QMouseEvent* event)
{
    if (!m_dragFrom || event->button() != Qt::LeftButton) {
        QChartView::mouseReleaseEvent(event);
        return;
    }
    if (m_rubberBand->isVisible())
        zoomTo(m_rubberBand->rect());
    m_rubberBand->hide();
    m_dragFrom.reset();
}

void CurveChartView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (inPlot(event->position()))
        m_curves->resetZoom();
    else
        QChartView::mouseDoubleClickEvent(event);
}

void CurveChartView::leaveEvent(QEvent* event)
{
    QChartView::leaveEvent(event);
    m_readout->setEpoch(std::nullopt);
}

void CurveChartView::wheelEvent(QWheelEvent* event)
{
    const QPointF place = m_curves->mapFromScene(mapToScene(event->position().toPoint()));
    const double factor = std::pow(1.2, -event->angleDelta().y() / 120.0);
    if (event->modifiers() & Qt::ControlModifier)
        zoomValues(factor, m_curves->frame().positionAt(place.y()));
    else
        zoomEpochs(factor, m_curves->frame().epochAt(place.x()));
    event->accept();
}

void CurveChartView::keyPressEvent(QKeyEvent* event)
{
    const int key = event->key();
    const AxisRange epochs = m_curves->frame().epochs;
    const double middle = m_readout->epoch() ? static_cast<double>(*m_readout->epoch())
                                             : (epochs.from + epochs.to) / 2;
    if (key == Qt::Key_Left || key == Qt::Key_Right) {
        const int direction = key == Qt::Key_Left ? -1 : 1;
        if (event->modifiers() & Qt::ShiftModifier)
            pan(direction);
        else
            moveReading(direction);
    } else if (key == Qt::Key_Plus || key == Qt::Key_Equal) {
        zoomEpochs(keyZoom, middle);
    } else if (key == Qt::Key_Minus) {
        zoomEpochs(1 / keyZoom, middle);
    } else if (key == Qt::Key_Escape && (m_dragFrom || m_readout->epoch())) {
        m_dragFrom.reset();
        m_rubberBand->hide();
        m_readout->setEpoch(std::nullopt);
    } else if (key >= Qt::Key_1 && key <= Qt::Key_9
               && static_cast<std::size_t>(key - Qt::Key_1) < m_curves->runs().size()) {
        const RunCurve& curve = *m_curves->runs()[static_cast<std::size_t>(key - Qt::Key_1)];
        m_curves->setRunVisible(curve.id, !curve.visible);
    } else {
        QChartView::keyPressEvent(event);
    }
}

void CurveChartView::moveReading(int direction)
{
    const AxisRange epochs = m_curves->frame().epochs;
    if (const std::optional<std::size_t> now = m_readout->epoch()) {
        const double step = std::max(1.0, epochs.length() / m_curves->plotArea().width());
        read(static_cast<double>(*now) + direction * step);
    } else {
        read((epochs.from + epochs.to) / 2);
    }
    setAccessibleDescription(m_readout->text());
}

void CurveChartView::pan(int direction)
{
    if (!m_curves->zoomed())
        return;
    AxisRange epochs = m_curves->frame().epochs;
    double step = direction * epochs.length() / 10;
    step = std::max(step, -epochs.from);
    step = std::min(step, std::max(0.0, m_curves->allEpochs().to - epochs.to));
    epochs.from += step;
    epochs.to += step;
    m_curves->zoomEpochs(epochs);
}

void CurveChartView::zoomEpochs(double factor, double around)
{
    const AxisRange all = m_curves->allEpochs();
    AxisRange epochs = m_curves->frame().epochs;
    if (factor < 1 && epochs.length() <= fewestEpochs)
        return;
    epochs = {std::max(all.from, around + (epochs.from - around) * factor),
              std::min(all.to, around + (epochs.to - around) * factor)};
    if (epochs == all)
        m_curves->zoomEpochs(std::nullopt);
    else
        m_curves->zoomEpochs(epochs);
}

void CurveChartView::zoomValues(double factor, double around)
{
    const AxisRange values = m_curves->frame().values;
    m_curves->zoomValues(AxisRange{around + (values.from - around) * factor,
                                   around + (values.to - around) * factor});
}

void CurveChartView::zoomTo(const QRectF& rectangle)
{
    const PlotFrame frame = m_curves->frame();
    if (rectangle.width() >= smallestDrag) {
        const double from = frame.epochAt(rectangle.left());
        const double to = frame.epochAt(rectangle.right());
        m_curves->zoomEpochs(AxisRange{from, std::max(to, from + fewestEpochs)});
    }
    if (rectangle.height() >= smallestDrag)
        m_curves->zoomValues(
            AxisRange{frame.positionAt(rectangle.bottom()), frame.positionAt(rectangle.top())});
}

} // namespace fullbatch
