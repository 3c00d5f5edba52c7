// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/run_menu.h"

#include "core/exchange/curve_csv.h"
#include "core/exchange/safetensors.h"
#include "ui/chart/curve_chart_view.h"
#include "ui/chart/curve_picture.h"
#include "ui/runs/run_export.h"
#include "ui/runs/run_list.h"
#include "ui/window/chart_tabs.h"

#include <QAction>
#include <QDir>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>
#include <QSettings>
#include <QStandardPaths>

#include <algorithm>
#include <exception>
#include <utility>

namespace fullbatch {

namespace {

const auto folderKey = QStringLiteral("exportFolder");

/// "4 x 63, rate 0.01" as "4x63-rate-0.01".
QString fileName(QString runName)
{
    runName.replace(QStringLiteral(" x "), QStringLiteral("x"));
    runName.replace(QRegularExpression(QStringLiteral("[^\\w.]+")), QStringLiteral("-"));
    return runName;
}

QString exportFolder()
{
    const QString documents = QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation);
    const QString folder = QSettings().value(folderKey, documents).toString();
    return QDir(folder).exists() ? folder : QDir::homePath();
}

} // namespace

RunMenu::RunMenu(RunList& runs, RunExport& files, ChartTabs& charts, QWidget& window)
    : QObject(&window),
      m_runs(runs),
      m_files(files),
      m_charts(charts),
      m_window(window),
      m_curve(new QAction(tr("Export &curve …"), this)),
      m_weights(new QAction(tr("Export &weights …"), this)),
      m_picture(new QAction(tr("Export &picture …"), this)),
      m_showOrHide(new QAction(tr("&Show or hide curve"), this)),
      m_remove(new QAction(tr("&Remove run"), this)),
      m_undoRemove(new QAction(tr("&Undo remove"), this))
{
    m_curve->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_E));
    m_curve->setStatusTip(tr("Every epoch of the selected run as CSV."));
    m_weights->setStatusTip(tr("The last weights of the selected run as safetensors, once it has "
                               "ended."));
    m_picture->setStatusTip(tr("The visible chart as PNG, SVG or PDF."));
    m_showOrHide->setStatusTip(
        tr("Shows or hides the curves of the selected runs; they train on."));
    m_remove->setShortcut(QKeySequence::Delete);
    m_remove->setStatusTip(tr("Takes ended runs off the list; Undo brings them back."));
    m_undoRemove->setShortcut(QKeySequence::Undo);
    connect(m_curve, &QAction::triggered, this, &RunMenu::saveCurve);
    connect(m_weights, &QAction::triggered, this, &RunMenu::saveWeights);
    connect(m_picture, &QAction::triggered, this, &RunMenu::savePicture);
    connect(m_showOrHide, &QAction::triggered, this, &RunMenu::toggleShown);
    connect(m_remove, &QAction::triggered, this, &RunMenu::removeSelected);
    connect(m_undoRemove, &QAction::triggered, &runs, &RunList::undoRemove);
    connect(&runs, &RunList::inserted, this, &RunMenu::update);
    connect(&runs, &RunList::removed, this, &RunMenu::update);
    connect(&runs, &RunList::changed, this, &RunMenu::update);
    connect(&runs, &RunList::prepared, this, &RunMenu::update);
    update();
}

void RunMenu::setSelection(std::vector<int> ids)
{
    m_selection = std::move(ids);
    update();
}

const Run* RunMenu::one() const
{
    if (m_selection.size() == 1) {
        const int row = m_runs.rowOf(m_selection.front());
        return row < 0 ? nullptr : &m_runs.at(row);
    }
    return m_selection.empty() && m_runs.size() == 1 ? &m_runs.at(0) : nullptr;
}

void RunMenu::update()
{
    const Run* const run = one();
    m_curve->setEnabled(run != nullptr && run->session->prepared());
    m_weights->setEnabled(run != nullptr && run->session->finalParameters());
    m_picture->setEnabled(m_runs.size() > 0);
    m_showOrHide->setEnabled(!m_selection.empty());
    m_remove->setEnabled(std::any_of(m_selection.begin(), m_selection.end(), [this](int id) {
        const int row = m_runs.rowOf(id);
        return row >= 0 && isEnd(m_runs.at(row).session->state());
    }));
    m_undoRemove->setEnabled(m_runs.canUndoRemove());
}

void RunMenu::toggleShown()
{
    for (const int id : m_selection)
        if (const int row = m_runs.rowOf(id); row >= 0)
            m_runs.setShown(id, !m_runs.at(row).shown);
}

void RunMenu::removeSelected()
{
    const std::vector<int> ids = m_selection; // the selection shrinks with the list
    for (const int id : ids)
        m_runs.remove(id);
}

void RunMenu::saveCurve()
{
    const Run* const run = one();
    if (run == nullptr || !run->session->prepared())
        return;
    askForPath(tr("Export curve"), fileName(run->name) + QStringLiteral(".csv"),
               tr("Comma-separated values (*.csv)"),
               [this, id = run->id, log = run->session->prepared()->log](const QString& path) {
                   m_files.write(
                       path, [log](std::ostream& out) { writeCurveCsv(out, *log); },
                       [this, id] { m_runs.setKept(id); });
               });
}

void RunMenu::saveWeights()
{
    const Run* const run = one();
    if (run == nullptr || !run->session->finalParameters())
        return;
    askForPath(
        tr("Export weights"), fileName(run->name) + QStringLiteral(".safetensors"),
        tr("Weights (*.safetensors)"),
        [this, id = run->id, weights = run->session->finalParameters()](const QString& path) {
            m_files.write(
                path, [weights](std::ostream& out) { writeSafetensors(out, *weights); },
                [this, id] { m_runs.setKept(id); });
        });
}

void RunMenu::savePicture()
{
    askForPath(tr("Export picture"), QStringLiteral("training.png"),
               tr("Pictures (*.png *.svg *.pdf)"), [this](const QString& path) {
                   // Drawing text needs the GUI thread, so this one file is not written behind.
                   try {
                       writeCurvePicture(QFile::encodeName(path).toStdString(),
                                         pictureOf(m_charts.visibleChart().curves()));
                       emit m_files.written(path);
                   } catch (const std::exception& error) {
                       emit m_files.failed(path, QString::fromUtf8(error.what()));
                   }
               });
}

void RunMenu::askForPath(const QString& title, const QString& name, const QString& filter,
                         std::function<void(const QString&)> save)
{
    auto* const dialog = new QFileDialog(&m_window, title, exportFolder(), filter);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(name.section(QLatin1Char('.'), -1));
    dialog->selectFile(name);
    connect(dialog, &QFileDialog::fileSelected, this,
            [save = std::move(save)](const QString& path) {
                QSettings().setValue(folderKey, QFileInfo(path).absolutePath());
                save(path);
            });
    dialog->open();
}

} // namespace fullbatch
