// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "core/training/cost_estimate.h"
#include "core/training/device_shares.h"
#include "ui/chart/frame_clock.h"
#include "ui/form/experiment_panel.h"
#include "ui/parts/background_work.h"
#include "ui/parts/data_cache.h"
#include "ui/parts/theme.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_export.h"
#include "ui/runs/run_list.h"
#include "ui/runs/run_table_model.h"
#include "ui/runs/run_table_view.h"
#include "ui/window/chart_tabs.h"
#include "ui/window/run_menu.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDir>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollArea>
#include <QSessionManager>
#include <QSplitter>
#include <QStatusBar>
#include <QTimer>
#include <QToolBar>
#include <QVBoxLayout>

#include <algorithm>
#include <chrono>
#include <map>
#include <string>

namespace fullbatch {

namespace {

constexpr int messageMilliseconds = 10'000;

qint64 monotonicMilliseconds()
{
    using std::chrono::duration_cast;
    return duration_cast<std::chrono::milliseconds>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

} // namespace

MainWindow::MainWindow(WindowSetup setup)
    : m_setup(std::move(setup)),
      m_data(std::make_shared<DataCache>()),
      m_runs(new RunList(m_data, m_setup.cores, this)),
      m_actions(new RunActions(*m_runs, this)),
      m_files(new RunExport(this)),
      m_panel(new ExperimentPanel(m_data, m_speeds, m_setup.cores, this)),
      m_charts(new ChartTabs(*m_runs, this)),
      m_model(new RunTableModel(*m_runs, this)),
      m_table(new RunTableView(*m_model, this)),
      m_menu(new RunMenu(*m_runs, *m_files, *m_charts, *this)),
      m_clock(new FrameClock(static_cast<unsigned>(m_setup.cores), this)),
      m_rows(new QSplitter(Qt::Vertical)),
      m_target(new QLabel)
{
    setWindowTitle(QApplication::applicationDisplayName());
    layOut();
    addMenus();
    connectParts();
    m_panel->setEngines(m_setup.engines);
    restoreSettings();
    listEngines();
    select({});
    m_model->setDark(isDark(palette()));
    statusBar()->showMessage(tr("Ready. Start (F5) trains the network described on the left."));
}

MainWindow::~MainWindow() = default;

void MainWindow::openData(const QString& path)
{
    m_panel->openData(path);
}

void MainWindow::layOut()
{
    auto* const scroll = new QScrollArea;
    scroll->setWidget(m_panel);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_left = new QWidget;
    auto* const column = new QVBoxLayout(m_left);
    column->setContentsMargins(0, 0, 0, 6);
    column->addWidget(scroll, 1);
    column->addWidget(startButton());

    m_rows->addWidget(m_charts);
    m_rows->addWidget(m_table);
    m_rows->setStretchFactor(0, 1);
    constexpr int tableRows = 6;
    m_rows->setSizes({QWIDGETSIZE_MAX,
                      tableRows * m_table->verticalHeader()->defaultSectionSize()
                          + m_table->horizontalHeader()->sizeHint().height()});
    m_rows->setChildrenCollapsible(false);
    auto* const middle = new QWidget;
    auto* const columns = new QHBoxLayout(middle);
    columns->setContentsMargins(0, 0, 0, 0);
    columns->setSpacing(4);
    columns->addWidget(m_left);
    columns->addWidget(m_rows, 1);
    setCentralWidget(middle);
    fitPanel();

    auto* const bar = addToolBar(tr("Training"));
    bar->setObjectName(QStringLiteral("trainingBar"));
    bar->setMovable(false);
    bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    for (QAction* const action : {m_actions->start(), m_actions->pause(), m_actions->resume(),
                                  m_actions->step(), m_actions->stop()})
        bar->addAction(action);
    bar->addSeparator();
    m_target->setObjectName(QStringLiteral("target"));
    bar->addWidget(m_target);
}

void MainWindow::fitPanel()
{
    constexpr int characters = 42;
    m_left->setFixedWidth(characters * fontMetrics().averageCharWidth());
}

QWidget* MainWindow::startButton()
{
    auto* const button = new QPushButton;
    QAction* const start = m_actions->start();
    button->setObjectName(QStringLiteral("startButton"));
    button->setAutoDefault(true); // Enter presses it too
    const auto follow = [button, start] {
        button->setText(start->text());
        button->setIcon(start->icon());
        button->setToolTip(start->toolTip());
        button->setStatusTip(start->statusTip());
    };
    follow();
    connect(start, &QAction::changed, button, follow);
    connect(button, &QPushButton::clicked, start, &QAction::trigger);
    constexpr int lines = 2;
    button->setMinimumHeight(lines * fontMetrics().height());
    return button;
}

void MainWindow::connectParts()
{
    connect(m_actions, &RunActions::startAsked, this, &MainWindow::start);
    connect(m_actions, &RunActions::updated, this,
            [this] { m_panel->setRateApplies(m_actions->rateApplies()); });
    connect(m_panel, &ExperimentPanel::learningRateApplied, this, [this](double rate) {
        m_actions->setLearningRate(rate);
        statusBar()->showMessage(
            tr("The learning rate is %1 from now on; the charts mark the epoch.").arg(rate),
            messageMilliseconds);
    });
    connect(m_clock, &FrameClock::frame, this, &MainWindow::frame);
    connect(m_charts, &ChartTabs::uncovered, this, &MainWindow::follow);
    connect(m_runs, &RunList::inserted, this, &MainWindow::follow);
    connect(m_runs, &RunList::removed, this, &MainWindow::follow);
    connect(m_runs, &RunList::changed, this, &MainWindow::follow);
    connect(m_runs, &RunList::prepared, this, &MainWindow::follow);
    connect(m_table, &RunTableView::selectionChangedTo, this, &MainWindow::select);
    connect(m_table, &QWidget::customContextMenuRequested, this, [this](const QPoint& where) {
        QMenu menu;
        menu.addActions({m_menu->showOrHide(), m_menu->exportCurve(), m_menu->exportWeights(),
                         m_menu->exportPicture(), m_menu->remove(), m_menu->undoRemove()});
        menu.exec(m_table->viewport()->mapToGlobal(where));
    });
    connect(m_files, &RunExport::written, this, [this](const QString& path) {
        statusBar()->showMessage(tr("Written: %1").arg(QDir::toNativeSeparators(path)),
                                 messageMilliseconds);
    });
    connect(m_files, &RunExport::failed, this, [this](const QString&, const QString& reason) {
        auto* const box = new QMessageBox(QMessageBox::Warning, tr("Not written"), reason,
                                          QMessageBox::Close, this);
        box->setObjectName(QStringLiteral("exportFailure"));
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
    connect(qApp, &QGuiApplication::commitDataRequest, this, &MainWindow::closeWithoutAsking,
            Qt::DirectConnection);
}

void MainWindow::listEngines()
{
    if (!m_setup.listEngines)
        return;
    m_listing = std::make_unique<BackgroundWork>(
        [this, list = m_setup.listEngines](const BackgroundWork::Caller& caller) {
            // `this` is used in the reply alone.
            caller.post([this, engines = list()] {
                m_listing.reset();
                m_setup.engines = engines;
                m_panel->setEngines(engines);
            });
        });
}

void MainWindow::start()
{
    if (!m_panel->ready()) {
        statusBar()->showMessage(m_panel->showProblem(), messageMilliseconds);
        return;
    }
    if (startRuns(m_panel->specs()) == 0)
        statusBar()->showMessage(
            tr("This very run is training already; change its seed or anything "
               "else to start another."),
            messageMilliseconds);
    else
        statusBar()->showMessage(tr("Training. Pause (F6), Step (F8) and Stop (F9) act on the "
                                    "selected runs, or on all."),
                                 messageMilliseconds);
}

/// Runs of one engine start together; a preset may have runs of several. Returns how many are new.
std::size_t MainWindow::startRuns(const std::vector<RunSpec>& specs)
{
    std::size_t started = 0;
    for (auto first = specs.begin(); first != specs.end();) {
        const auto end = std::find_if(
            first, specs.end(), [&](const RunSpec& spec) { return spec.engine != first->engine; });
        const EngineChoice* const engine = m_panel->engineOf(first->engine);
        const bool chosen = m_panel->engine() != nullptr && first->engine == m_panel->engine()->id;
        if (engine != nullptr)
            started +=
                m_runs->start({first, end}, chosen ? m_panel->engines() : std::vector{*engine})
                    .size();
        first = end;
    }
    return started;
}

void MainWindow::frame()
{
    // Four times a second, for numbers that change faster cannot be read.
    constexpr qint64 tableMilliseconds = 250;
    const bool trains = m_runs->unfinished() > 0;
    if (const qint64 now = monotonicMilliseconds(); now >= m_nextTable || !trains) {
        m_nextTable = now + tableMilliseconds;
        m_model->refresh();
        measureSpeeds();
    }
    const bool more = m_charts->pull();
    m_clock->setFrameCost(m_charts->frameSeconds());
    m_clock->setActive(trains || more);
}

void MainWindow::follow()
{
    m_clock->setActive(true); // the next frame finds out how long
}

void MainWindow::measureSpeeds()
{
    struct Sum
    {
        double flopsPerSecond = 0;
        int threads = 0;
    };
    constexpr double enoughSeconds = 1;
    std::map<std::string, Sum> engines;
    for (int row = 0; row < m_runs->size(); ++row) {
        const TrainingSession& session = *m_runs->at(row).session;
        if (session.state() != RunState::Running)
            continue;
        const Speed speed = session.speed();
        if (speed.trainingSeconds < enoughSeconds)
            return; // runs share the cores, so only all of them together say something
        const auto trainRows = static_cast<std::int64_t>(session.prepared()->log->trainRows);
        Sum& sum = engines[session.spec().engine];
        sum.flopsPerSecond +=
            flopsPerEpoch(session.prepared()->shape, trainRows, session.spec().batches)
            * speed.epochsPerSecond;
        sum.threads += isGpu(session.spec().engine) ? 0 : session.threads();
    }
    bool first = false;
    for (const auto& [engine, sum] : engines) {
        first = first || !m_speeds.rate(engine, 1).measured;
        m_speeds.record(engine, std::min(sum.threads, m_setup.cores), sum.flopsPerSecond);
    }
    if (first)
        m_panel->refreshCost();
}

void MainWindow::select(const std::vector<int>& ids)
{
    m_actions->setTargets(ids);
    m_menu->setSelection(ids);
    m_target->setText(ids.empty() ? tr("Acting on all runs")
                          : ids.size() == 1
                          ? tr("Acting on the selected run (Esc: on all)")
                          : tr("Acting on %1 selected runs (Esc: on all)").arg(ids.size()));
}

void MainWindow::setTextSize(int steps)
{
    m_textSize = std::clamp(steps, smallestTextSize, largestTextSize);
    applyTextSize(m_textSize);
}

void MainWindow::changeEvent(QEvent* event)
{
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::PaletteChange
        || event->type() == QEvent::ApplicationPaletteChange) {
        m_actions->drawIcons();
        m_model->setDark(isDark(palette()));
    }
    if (event->type() == QEvent::FontChange)
        fitPanel();
}

} // namespace fullbatch
