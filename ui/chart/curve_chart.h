// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart/curve_item.h"

#include <QChart>

#include <optional>

class QCategoryAxis;
class QLineSeries;

namespace fullbatch {

/// The curves of some runs over their epochs: a QChart for axes, legend and titles, with the curves
/// drawn by CurveItem. Lives in the GUI thread; needs a QApplication but no display.
///
/// The runs' logs are only read, by pull(), and only so many epochs a call that the call stays
/// short. Ranges follow the data in steps until a zoom fixes them.
class CurveChart : public QChart
{
    Q_OBJECT

public:
    static constexpr std::size_t epochsAPull = 262'144; ///< of all runs together

    explicit CurveChart(Quantity quantity, QGraphicsItem* parent = nullptr);
    ~CurveChart() override;

    /// Appends a run to the legend. `styleIndex` < 0: the lowest that no run of this chart has.
    /// An id that is there already is replaced and keeps its place and style.
    void addRun(const QString& id, const QString& name, std::shared_ptr<const MetricsLog> log,
                int styleIndex = -1);
    void removeRun(const QString& id);
    void clearRuns();
    void setName(const QString& id, const QString& name);
    void setRunVisible(const QString& id, bool visible);
    [[nodiscard]] const RunCurves& runs() const { return m_runs; }
    [[nodiscard]] const RunCurve* run(const QString& id) const;

    /// Takes new epochs out of the logs. Returns whether there are more to take at once.
    bool pull();

    void setLogarithmic(bool logarithmic);
    [[nodiscard]] bool logarithmic() const { return m_logarithmic; }
    [[nodiscard]] Quantity quantity() const { return m_quantity; }

    /// Show this part whatever the data do; none: follow the data. `values` in the units of
    /// frame().scale; forgotten when the scale changes.
    void zoomEpochs(std::optional<AxisRange> epochs);
    void zoomValues(std::optional<AxisRange> values);
    void resetZoom();
    [[nodiscard]] const std::optional<AxisRange>& zoomedEpochs() const { return m_zoomEpochs; }
    [[nodiscard]] const std::optional<AxisRange>& zoomedValues() const { return m_zoomValues; }
    [[nodiscard]] bool zoomed() const { return m_zoomEpochs || m_zoomValues; }
    [[nodiscard]] AxisRange allEpochs() const; ///< what is shown without zoom
    [[nodiscard]] const PlotFrame& frame() const { return m_item->frame(); }

    void setColours(const ChartColours& colours);
    [[nodiscard]] const ChartColours& colours() const { return m_colours; }
    /// `tick` for tick labels and legend, `title` for axis titles.
    void setFonts(const QFont& tick, const QFont& title);
    [[nodiscard]] const QFont& tickFont() const { return m_tickFont; }
    void setPenWidth(double width);

protected:
    void resizeEvent(QGraphicsSceneResizeEvent* event) override;

signals:
    void runVisibilityChanged(const QString& id, bool visible);
    void frameChanged(); ///< ranges or plot area

private:
    [[nodiscard]] int freeStyle() const;
    [[nodiscard]] std::size_t indexOf(const QString& id) const; // size() when it is not there
    void updateLegendEntry(std::size_t index);
    void updateTexts();
    void placeLegend();
    void updateFrame();
    void updateTicks();
    [[nodiscard]] PlotFrame wantedFrame() const;

    Quantity m_quantity;
    RunCurves m_runs; // in the order of their start
    CurveItem* m_item; // child
    QCategoryAxis* m_epochAxis; // the chart's
    QCategoryAxis* m_valueAxis;
    QLineSeries* m_anchor; // empty: keeps the axes alive without a run
    std::vector<QLineSeries*> m_legend; // of m_runs, in their order; empty series of the chart's
    std::optional<AxisRange> m_zoomEpochs;
    std::optional<AxisRange> m_zoomValues;
    ChartColours m_colours = ChartColours::paper();
    QFont m_tickFont;
    double m_penWidth = 2;
    bool m_logarithmic = false;
};

} // namespace fullbatch
