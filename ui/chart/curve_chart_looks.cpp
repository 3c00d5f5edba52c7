// SPDX-License-Identifier: GPL-3.0-or-later
// Colours, fonts, texts, ticks and legend of CurveChart.
#include "ui/chart/curve_chart.h"

#include <QCategoryAxis>
#include <QFontMetricsF>
#include <QLegend>
#include <QLegendMarker>
#include <QLineSeries>

#include <algorithm>

namespace fullbatch {
namespace {

void setTicks(QCategoryAxis& axis, AxisRange range, const std::vector<AxisTick>& ticks)
{
    const QStringList old = axis.categoriesLabels();
    for (const QString& label : old)
        axis.remove(label);
    axis.setRange(range.from, range.to);
    axis.setStartValue(range.from - range.length());
    for (const AxisTick& tick : ticks)
        axis.append(tick.label, tick.position);
}

// The legend's line is as short as its text is high: two dashes must fit.
QPen legendPen(QPen pen)
{
    constexpr double shrink = 3;
    QList<qreal> dashes = pen.dashPattern();
    for (qreal& dash : dashes)
        dash /= shrink;
    if (!dashes.empty())
        pen.setDashPattern(dashes);
    return pen;
}

} // namespace

void CurveChart::updateTicks()
{
    const PlotFrame& frame = m_item->frame();
    const QFontMetricsF metrics(m_tickFont);
    // Of the whole chart, not of the plot area: that one depends on the labels in turn.
    const double labelWidth = metrics.horizontalAdvance(QStringLiteral("1,000,000"));
    const int across = static_cast<int>(size().width() / (1.7 * labelWidth));
    const int up = static_cast<int>(size().height() / (3 * metrics.height()));
    const auto ticksBetween = [](int count) { return std::clamp(count, 3, 11); };
    const std::vector<AxisTick> epochs = epochTicks(frame.epochs, ticksBetween(across));
    const std::vector<AxisTick> values = frame.scale.logarithmic
        ? logarithmicTicks(frame.values, frame.scale.zeroLine, ticksBetween(up))
        : linearTicks(frame.values, ticksBetween(up));
    setTicks(*m_epochAxis, frame.epochs, epochs);
    setTicks(*m_valueAxis, frame.values, values);
}

void CurveChart::setColours(const ChartColours& colours)
{
    m_colours = colours;
    setBackgroundBrush(colours.background);
    setPlotAreaBackgroundVisible(false);
    legend()->setLabelColor(colours.text);
    for (QCategoryAxis* axis : {m_epochAxis, m_valueAxis}) {
        axis->setLabelsColor(colours.text);
        axis->setTitleBrush(colours.text);
        axis->setGridLinePen(QPen(colours.grid, 1));
        axis->setLinePen(QPen(colours.axis, 1));
    }
    m_item->setColours(colours);
    for (std::size_t index = 0; index < m_runs.size(); ++index)
        updateLegendEntry(index);
}

void CurveChart::setFonts(const QFont& tick, const QFont& title)
{
    m_tickFont = tick;
    legend()->setFont(tick);
    for (QCategoryAxis* axis : {m_epochAxis, m_valueAxis}) {
        axis->setLabelsFont(tick);
        axis->setTitleFont(title);
    }
    m_item->setFont(tick);
    for (std::size_t index = 0; index < m_runs.size(); ++index)
        updateLegendEntry(index);
    placeLegend();
    updateTicks();
}

void CurveChart::setPenWidth(double width)
{
    m_penWidth = width;
    m_item->setPenWidth(width);
    for (std::size_t index = 0; index < m_runs.size(); ++index)
        updateLegendEntry(index);
}

void CurveChart::updateLegendEntry(std::size_t index)
{
    const RunCurve& curve = *m_runs[index];
    QLineSeries& entry = *m_legend[index];
    QString text = curve.name;
    if (curve.notFinite() == 1)
        text = tr("%1 (1 value not finite)").arg(text);
    else if (curve.notFinite() > 1)
        text = tr("%1 (%2 values not finite)")
                   .arg(text, chartLocale().toString(static_cast<qulonglong>(curve.notFinite())));
    entry.setName(text);
    entry.setPen(legendPen(curve.style().pen(m_colours.dark, m_penWidth + 1)));
    QFont font = m_tickFont;
    font.setStrikeOut(!curve.visible);
    QLegendMarker& marker = *legend()->markers(&entry).constFirst();
    marker.setFont(font);
    marker.setLabelBrush(m_colours.text);
    placeLegend();
}

// A row above the plot where all names have room, a column beside it otherwise.
void CurveChart::placeLegend()
{
    const QFontMetricsF metrics(m_tickFont);
    double longest = 0;
    double together = 0;
    for (const QLineSeries* entry : m_legend) {
        const double width = metrics.horizontalAdvance(entry->name()) + 2.5 * metrics.height();
        longest = std::max(longest, width);
        together += width;
    }
    const bool beside =
        together > size().width() - 2 * metrics.height() && longest < 0.4 * size().width();
    legend()->setAlignment(beside ? Qt::AlignRight : Qt::AlignTop);
    // The labels at the ends of the axes stick out by half.
    const double right = metrics.horizontalAdvance(QStringLiteral("500,000")) / 2;
    const double top = beside || m_runs.empty() ? metrics.height() / 2 : 0;
    setMargins({4, static_cast<int>(top) + 2, static_cast<int>(right) + 6, 2});
}

void CurveChart::updateTexts()
{
    const bool tests = std::any_of(m_runs.begin(), m_runs.end(), [](const auto& curve) {
        return curve->visible && !curve->test().epochs.empty();
    });
    const auto shown = [this](bool after) {
        return std::any_of(m_runs.begin(), m_runs.end(), [after](const auto& curve) {
            return curve->visible && curve->log()->measuredAfter == after;
        });
    };
    m_epochAxis->setTitleText(tr("Epoch"));
    QString title;
    if (m_quantity == Quantity::TrainingError)
        title = tests ? tr("Training error, dotted: test error (%)") : tr("Training error (%)");
    else
        title = tests ? tr("Training loss, dotted: test loss (cross-entropy)")
                      : tr("Training loss (cross-entropy)");
    if (shown(true)) // with full batch alone it is before the only update, as ever
        title = shown(false)
            ? tr("%1\nfull batch: before the update, else after the epoch").arg(title)
            : tr("%1, after the epoch").arg(title);
    m_valueAxis->setTitleText(title);
}

} // namespace fullbatch
