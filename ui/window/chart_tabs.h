// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <array>

class QAction;
class QLabel;
class QStackedLayout;
class QTabWidget;

namespace fullbatch {

class CurveChartView;
class RunList;

/// The charts of all runs, training error and training loss on a tab each, and a friendly sentence
/// while there is no run. Follows the run list by itself.
class ChartTabs : public QWidget
{
    Q_OBJECT

public:
    explicit ChartTabs(RunList& runs, QWidget* parent = nullptr);

    /// Takes what was measured since the last call into the visible chart. Returns whether there is
    /// more. Costs nothing while the window is hidden; nothing is lost by that.
    bool pull();
    /// What the last pull and the last painting took together.
    [[nodiscard]] double frameSeconds() const;

    [[nodiscard]] CurveChartView& visibleChart() const;
    /// Acts on the visible chart; checkable.
    [[nodiscard]] QAction* logarithmic() const { return m_logarithmic; }
    /// Acts on the visible chart.
    [[nodiscard]] QAction* showAll() const { return m_showAll; }

signals:
    void uncovered(); ///< another chart is visible and may have epochs to pull

protected:
    void changeEvent(QEvent* event) override;

private:
    void makeActions();
    void followRuns();
    void followNames();
    void enlargeInvitation();

    RunList& m_runs;
    QTabWidget* m_tabs;
    QLabel* m_invitation;
    QStackedLayout* m_pages;
    std::array<CurveChartView*, 2> m_charts; // in the order of the tabs
    QAction* m_logarithmic;
    QAction* m_showAll;
};

} // namespace fullbatch
