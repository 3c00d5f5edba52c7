// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/chart_tabs.h"

#include "ui/chart/curve_chart_view.h"
#include "ui/runs/run_list.h"

#include <QAction>
#include <QLabel>
#include <QStackedLayout>
#include <QTabWidget>

namespace fullbatch {

namespace {

QString chartId(const Run& run)
{
    return QString::number(run.id);
}

} // namespace

ChartTabs::ChartTabs(RunList& runs, QWidget* parent)
    : QWidget(parent),
      m_runs(runs),
      m_tabs(new QTabWidget),
      m_invitation(new QLabel),
      m_pages(new QStackedLayout(this)),
      m_charts{new CurveChartView(Quantity::TrainingError),
               new CurveChartView(Quantity::TrainingLoss)},
      m_logarithmic(new QAction(tr("&Logarithmic axis"), this)),
      m_showAll(new QAction(tr("Show &all epochs"), this))
{
    m_invitation->setObjectName(QStringLiteral("invitation"));
    m_invitation->setText(tr("Press Start (F5) to train the network described on the left.\n\n"
                             "Its training error appears here, epoch by epoch."));
    m_invitation->setAlignment(Qt::AlignCenter);
    m_invitation->setWordWrap(true);
    m_tabs->addTab(m_charts[0], tr("Training &error"));
    m_tabs->addTab(m_charts[1], tr("Training lo&ss"));
    m_tabs->setDocumentMode(true);
    m_charts[0]->setAccessibleName(tr("Training error"));
    m_charts[1]->setAccessibleName(tr("Training loss"));
    m_pages->addWidget(m_invitation);
    m_pages->addWidget(m_tabs);
    makeActions();
    enlargeInvitation();
    for (CurveChartView* const chart : m_charts)
        connect(&chart->curves(), &CurveChart::runVisibilityChanged, this,
                [this](const QString& id, bool visible) { m_runs.setShown(id.toInt(), visible); });
    connect(m_tabs, &QTabWidget::currentChanged, this, [this] {
        m_logarithmic->setChecked(visibleChart().curves().logarithmic());
        emit uncovered();
    });
    connect(&runs, &RunList::prepared, this, &ChartTabs::followRuns);
    connect(&runs, &RunList::inserted, this, &ChartTabs::followRuns);
    connect(&runs, &RunList::changed, this, &ChartTabs::followRuns);
    connect(&runs, &RunList::renamed, this, &ChartTabs::followNames);
    connect(&runs, &RunList::removed, this, [this](int, int id) {
        for (CurveChartView* const chart : m_charts)
            chart->curves().removeRun(QString::number(id));
        followRuns();
    });
}

void ChartTabs::makeActions()
{
    m_logarithmic->setCheckable(true);
    connect(m_logarithmic, &QAction::triggered, this,
            [this](bool on) { visibleChart().logarithmicAction()->setChecked(on); });
    connect(m_showAll, &QAction::triggered, this,
            [this] { visibleChart().resetZoomAction()->trigger(); });
    for (CurveChartView* const chart : m_charts)
        connect(chart->logarithmicAction(), &QAction::toggled, this, [this, chart](bool on) {
            if (chart == &visibleChart())
                m_logarithmic->setChecked(on);
        });
}

bool ChartTabs::pull()
{
    return isVisible() && !window()->isMinimized() && visibleChart().pull();
}

double ChartTabs::frameSeconds() const
{
    return visibleChart().frameSeconds();
}

CurveChartView& ChartTabs::visibleChart() const
{
    return *m_charts[m_tabs->currentIndex() == 1 ? 1 : 0];
}

void ChartTabs::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        enlargeInvitation();
}

void ChartTabs::enlargeInvitation()
{
    constexpr double times = 1.6;
    QFont large = font();
    large.setPointSizeF(large.pointSizeF() * times);
    if (m_invitation->font() != large)
        m_invitation->setFont(large);
}

void ChartTabs::followRuns()
{
    m_pages->setCurrentIndex(m_runs.size() > 0 ? 1 : 0);
    for (int row = 0; row < m_runs.size(); ++row) {
        const Run& run = m_runs.at(row);
        // Runs that start together are prepared in any order; the legend keeps that of the table.
        if (!run.session->prepared() && run.session->state() == RunState::Preparing)
            return;
        if (!run.session->prepared())
            continue;
        for (CurveChartView* const chart : m_charts) {
            if (chart->curves().run(chartId(run)) == nullptr)
                chart->curves().addRun(chartId(run), run.name, run.session->prepared()->log,
                                       run.id);
            chart->curves().setRunVisible(chartId(run), run.shown);
        }
    }
}

void ChartTabs::followNames()
{
    for (int row = 0; row < m_runs.size(); ++row)
        for (CurveChartView* const chart : m_charts)
            chart->curves().setName(chartId(m_runs.at(row)), m_runs.at(row).name);
}

} // namespace fullbatch
