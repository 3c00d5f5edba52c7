// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <ostream>
#include <vector>

class QAction;
class QWidget;

namespace fullbatch {

class ChartTabs;
class RunExport;
class RunList;
struct Run;

/// What can be done with runs besides training them: show and hide, export, remove and undo that.
/// Exports act on the selected run, or on the only one.
class RunMenu : public QObject
{
    Q_OBJECT

public:
    RunMenu(RunList& runs, RunExport& files, ChartTabs& charts, QWidget& window);

    [[nodiscard]] QAction* exportCurve() const { return m_curve; }
    [[nodiscard]] QAction* exportWeights() const { return m_weights; }
    [[nodiscard]] QAction* exportPicture() const { return m_picture; }
    [[nodiscard]] QAction* showOrHide() const { return m_showOrHide; }
    [[nodiscard]] QAction* remove() const { return m_remove; }
    [[nodiscard]] QAction* undoRemove() const { return m_undoRemove; }

    void setSelection(std::vector<int> ids);

private:
    void update();
    [[nodiscard]] const Run* one() const; ///< null unless exactly one run is meant
    void toggleShown();
    void removeSelected();
    void saveCurve();
    void saveWeights();
    void savePicture();
    void askForPath(const QString& title, const QString& name, const QString& filter,
                    std::function<void(const QString&)> save);

    RunList& m_runs;
    RunExport& m_files;
    ChartTabs& m_charts;
    QWidget& m_window;
    std::vector<int> m_selection;
    QAction* m_curve;
    QAction* m_weights;
    QAction* m_picture;
    QAction* m_showOrHide;
    QAction* m_remove;
    QAction* m_undoRemove;
};

} // namespace fullbatch
