// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart/curve_chart.h"
#include "ui/chart/curve_readout.h"

#include <QChartView>

class QAction;
class QGraphicsRectItem;

namespace fullbatch {

/// The live chart as a widget: CurveChart with zoom and exact values under the mouse.
///
/// Drag a rectangle or turn the wheel to zoom (with Ctrl: the value axis), double click or Home to
/// see everything again. Left and Right move the reading line, with Shift they move the part that
/// is shown; + and - zoom, L switches the logarithmic axis, 1 to 9 hide and show a run. Colours
/// follow the widget's palette, fonts its font and size. Whoever owns it calls pull() at the pace
/// of a FrameClock.
class CurveChartView : public QChartView
{
    Q_OBJECT

public:
    explicit CurveChartView(Quantity quantity, QWidget* parent = nullptr);

    /// Runs are added, named and hidden there.
    [[nodiscard]] CurveChart& curves() { return *m_curves; }
    [[nodiscard]] const CurveChart& curves() const { return *m_curves; }

    /// CurveChart::pull(), with its cost kept for frameSeconds().
    bool pull();
    /// What the last pull() and the last painting took together.
    [[nodiscard]] double frameSeconds() const { return m_pullSeconds + m_paintSeconds; }

    /// Also in the context menu, for a tool bar or a menu.
    [[nodiscard]] QAction* logarithmicAction() const { return m_logarithmic; }
    [[nodiscard]] QAction* resetZoomAction() const { return m_resetZoom; }

    [[nodiscard]] const CurveReadout& readout() const { return *m_readout; }

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void makeActions();
    void followPalette();
    void followFont();
    [[nodiscard]] bool inPlot(const QPointF& place) const;
    void read(double epoch);
    void moveReading(int direction);
    void pan(int direction);
    void zoomEpochs(double factor, double around);
    void zoomValues(double factor, double around);
    void zoomTo(const QRectF& rectangle);

    CurveChart* m_curves; // the base class's chart
    CurveReadout* m_readout; // child of m_curves
    QGraphicsRectItem* m_rubberBand; // child of m_curves
    QAction* m_logarithmic;
    QAction* m_resetZoom;
    std::optional<QPointF> m_dragFrom;
    double m_pullSeconds = 0;
    double m_paintSeconds = 0;
};

} // namespace fullbatch
