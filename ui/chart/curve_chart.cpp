// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/curve_chart.h"

#include "ui/chart/automatic_range.h"

#include <QCategoryAxis>
#include <QGraphicsLayout>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>

#include <algorithm>

namespace fullbatch {
namespace {

QCategoryAxis* makeAxis(QChart& chart, Qt::Alignment side)
{
    auto* axis = new QCategoryAxis(&chart);
    axis->setLabelsPosition(QCategoryAxis::AxisLabelsPositionOnValue);
    axis->setTruncateLabels(false);
    chart.addAxis(axis, side);
    return axis;
}

} // namespace

CurveChart::CurveChart(Quantity quantity, QGraphicsItem* parent)
    : QChart(parent),
      m_quantity(quantity),
      m_item(new CurveItem(m_runs, this)),
      m_epochAxis(makeAxis(*this, Qt::AlignBottom)),
      m_valueAxis(makeAxis(*this, Qt::AlignLeft)),
      m_anchor(new QLineSeries(this))
{
    setAnimationOptions(NoAnimation);
    setBackgroundRoundness(0);
    setDropShadowEnabled(false);
    layout()->setContentsMargins(0, 0, 0, 0);
    addSeries(m_anchor);
    m_anchor->attachAxis(m_epochAxis);
    m_anchor->attachAxis(m_valueAxis);
    legend()->setShowToolTips(true);
    legend()->setMarkerShape(QLegend::MarkerShapeFromSeries);
    legend()->markers(m_anchor).constFirst()->setVisible(false);
    connect(this, &QChart::plotAreaChanged, this, &CurveChart::updateFrame);
    setColours(m_colours);
    setFonts(font(), font());
    updateTexts();
}

CurveChart::~CurveChart() = default;

void CurveChart::addRun(const QString& id, const QString& name,
                        std::shared_ptr<const MetricsLog> log, int styleIndex)
{
    const std::size_t index = indexOf(id);
    if (index < m_runs.size()) {
        const RunCurve& old = *m_runs[index];
        const int style = styleIndex < 0 ? old.styleIndex() : styleIndex;
        const bool visible = old.visible;
        m_runs[index] = std::make_unique<RunCurve>(id, name, std::move(log), m_quantity, style);
        m_runs[index]->visible = visible;
    } else {
        const int style = styleIndex < 0 ? freeStyle() : styleIndex;
        m_runs.push_back(std::make_unique<RunCurve>(id, name, std::move(log), m_quantity, style));
        auto* entry = new QLineSeries(this);
        addSeries(entry);
        m_legend.push_back(entry);
        connect(legend()->markers(entry).constFirst(), &QLegendMarker::clicked, this,
                [this, id] { setRunVisible(id, !run(id)->visible); });
    }
    updateLegendEntry(index);
    updateTexts();
    updateFrame();
}

void CurveChart::removeRun(const QString& id)
{
    const std::size_t index = indexOf(id);
    if (index == m_runs.size())
        return;
    const auto place = static_cast<std::ptrdiff_t>(index);
    removeSeries(m_legend[index]);
    delete m_legend[index];
    m_legend.erase(m_legend.begin() + place);
    m_runs.erase(m_runs.begin() + place);
    placeLegend();
    updateTexts();
    updateFrame();
}

void CurveChart::clearRuns()
{
    while (!m_runs.empty())
        removeRun(m_runs.back()->id);
}

void CurveChart::setName(const QString& id, const QString& name)
{
    const std::size_t index = indexOf(id);
    if (index == m_runs.size() || m_runs[index]->name == name)
        return;
    m_runs[index]->name = name;
    updateLegendEntry(index);
}

void CurveChart::setRunVisible(const QString& id, bool visible)
{
    const std::size_t index = indexOf(id);
    if (index == m_runs.size() || m_runs[index]->visible == visible)
        return;
    m_runs[index]->visible = visible;
    updateLegendEntry(index);
    updateTexts();
    updateFrame();
    emit runVisibilityChanged(id, visible);
}

const RunCurve* CurveChart::run(const QString& id) const
{
    const std::size_t index = indexOf(id);
    return index < m_runs.size() ? m_runs[index].get() : nullptr;
}

std::size_t CurveChart::indexOf(const QString& id) const
{
    const auto found = std::find_if(m_runs.begin(), m_runs.end(),
                                    [&id](const auto& curve) { return curve->id == id; });
    return static_cast<std::size_t>(found - m_runs.begin());
}

int CurveChart::freeStyle() const
{
    int style = 0;
    while (std::any_of(m_runs.begin(), m_runs.end(),
                       [style](const auto& curve) { return curve->styleIndex() == style; }))
        ++style;
    return style;
}

bool CurveChart::pull()
{
    // A share each, so that a long run does not keep the others waiting.
    const std::size_t share = epochsAPull / std::max<std::size_t>(1, m_runs.size());
    bool taken = false;
    bool more = false;
    bool hadTests = false;
    bool hasTests = false;
    for (std::size_t index = 0; index < m_runs.size(); ++index) {
        RunCurve& curve = *m_runs[index];
        const std::size_t notFinite = curve.notFinite();
        const std::size_t tests = curve.test().epochs.size();
        taken = curve.pull(share) > 0 || curve.test().epochs.size() != tests || taken;
        more = more || !curve.upToDate();
        hadTests = hadTests || tests > 0;
        hasTests = hasTests || !curve.test().epochs.empty();
        if (curve.notFinite() != notFinite)
            updateLegendEntry(index);
    }
    if (hasTests != hadTests)
        updateTexts();
    if (taken)
        updateFrame();
    return more;
}

void CurveChart::setLogarithmic(bool logarithmic)
{
    if (logarithmic == m_logarithmic)
        return;
    m_logarithmic = logarithmic;
    m_zoomValues.reset(); // the old heights mean something else now
    updateFrame();
}

void CurveChart::zoomEpochs(std::optional<AxisRange> epochs)
{
    m_zoomEpochs = epochs;
    updateFrame();
}

void CurveChart::zoomValues(std::optional<AxisRange> values)
{
    m_zoomValues = values;
    updateFrame();
}

void CurveChart::resetZoom()
{
    m_zoomEpochs.reset();
    m_zoomValues.reset();
    updateFrame();
}

AxisRange CurveChart::allEpochs() const
{
    std::size_t epochs = 0;
    for (const auto& curve : m_runs)
        if (curve->visible)
            epochs = std::max(epochs, curve->training().size());
    return automaticEpochs(epochs);
}

PlotFrame CurveChart::wantedFrame() const
{
    PlotFrame frame;
    frame.area = plotArea();
    RunCurve::Extent extent;
    for (const auto& curve : m_runs)
        if (curve->visible)
            extent.include(curve->extent());
    const AutomaticValues automatic = automaticValues(extent, m_quantity, m_logarithmic);
    frame.epochs = m_zoomEpochs.value_or(allEpochs());
    frame.values = m_zoomValues.value_or(automatic.range);
    frame.scale = automatic.scale;
    return frame;
}

void CurveChart::updateFrame()
{
    const PlotFrame before = m_item->frame();
    const PlotFrame frame = wantedFrame();
    m_item->setFrame(frame);
    const bool sameRanges = frame.epochs == before.epochs && frame.values == before.values
        && frame.scale.logarithmic == before.scale.logarithmic
        && frame.scale.zeroLine == before.scale.zeroLine;
    if (!sameRanges || frame.area.size() != before.area.size())
        updateTicks();
    if (!sameRanges || frame.area != before.area)
        emit frameChanged();
}

void CurveChart::resizeEvent(QGraphicsSceneResizeEvent* event)
{
    QChart::resizeEvent(event);
    placeLegend();
}

} // namespace fullbatch
