// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"
#include "core/training/run_spec.h"
#include "ui/parts/measured_speeds.h"

#include <QMainWindow>

#include <functional>
#include <memory>
#include <vector>

class QLabel;
class QSplitter;

namespace fullbatch {

class BackgroundWork;
class ChartTabs;
class DataCache;
class ExperimentPanel;
class FrameClock;
class RunActions;
class RunExport;
class RunList;
class RunMenu;
class RunTableModel;
class RunTableView;

/// What the program tells its window.
struct WindowSetup
{
    std::vector<EngineChoice> engines; ///< shown at once, so made without looking at any device
    /// The full list, called in a background thread; empty when `engines` is already all.
    std::function<std::vector<EngineChoice>()> listEngines;
    int cores = 1; ///< of this machine
};

/// The workbench: the form on the left, the charts, the table of runs below them. It only puts them
/// together, and asks at most one question when it is closed. It needs the application's and the
/// organisation's names for QSettings.
class MainWindow : public QMainWindow
{
    Q_OBJECT

public:
    explicit MainWindow(WindowSetup setup);
    ~MainWindow() override;

    [[nodiscard]] RunList& runs() const { return *m_runs; }
    /// Reads a data file into the form, as if chosen there.
    void openData(const QString& path);
    /// For the end of a desktop session or a signal: no question, whatever trains.
    void closeWithoutAsking();

protected:
    void closeEvent(QCloseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void layOut();
    [[nodiscard]] QWidget* startButton();
    void fitPanel();
    void addMenus();
    void addViewMenu();
    void connectParts();
    void listEngines();
    void start();
    std::size_t startRuns(const std::vector<RunSpec>& specs);
    void frame();
    void follow(); ///< something is to be drawn
    void measureSpeeds();
    void select(const std::vector<int>& ids);
    void setTextSize(int steps);
    [[nodiscard]] QString atStake() const; ///< what closing would lose; empty for nothing
    void askBeforeClosing(const QString& what);
    void saveSettings();
    void restoreSettings();

    WindowSetup m_setup;
    MeasuredSpeeds m_speeds;
    std::shared_ptr<DataCache> m_data;
    RunList* m_runs;
    RunActions* m_actions;
    RunExport* m_files;
    ExperimentPanel* m_panel;
    ChartTabs* m_charts;
    RunTableModel* m_model;
    RunTableView* m_table;
    RunMenu* m_menu;
    FrameClock* m_clock;
    QWidget* m_left = nullptr;
    QSplitter* m_rows;
    QLabel* m_target;
    int m_textSize = 0;
    bool m_asking = false;
    bool m_closing = false; // the question is answered, or need not be asked
    qint64 m_nextTable = 0; // monotonic milliseconds
    std::unique_ptr<BackgroundWork> m_listing;
};

} // namespace fullbatch
