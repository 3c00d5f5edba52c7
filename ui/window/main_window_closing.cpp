// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/form/experiment_panel.h"
#include "ui/runs/run_export.h"
#include "ui/runs/run_list.h"

#include <QCloseEvent>
#include <QGuiApplication>
#include <QMessageBox>
#include <QPushButton>
#include <QScreen>
#include <QSettings>
#include <QSplitter>
#include <QStatusBar>
#include <QTimer>

namespace fullbatch {

namespace {

/// Losing less training than this needs no question.
constexpr double worthAsking = 60; // seconds
/// A file in the making is waited for so long at most.
constexpr int patienceWithFiles = 3500; // milliseconds

const auto group = QStringLiteral("window");

} // namespace

void MainWindow::closeEvent(QCloseEvent* event)
{
    if (m_asking)
        m_closing =
            true; // asked to close a second time while the question stands: the answer is yes
    if (const QString what = m_closing ? QString() : atStake(); !what.isEmpty()) {
        event->ignore();
        askBeforeClosing(what);
        return;
    }
    if (m_files->inProgress() > 0 && centralWidget()->isEnabled()) {
        event->ignore();
        m_closing = true;
        centralWidget()->setEnabled(false);
        statusBar()->showMessage(tr("A file is being finished, then the window closes."));
        const auto closeWhenWritten = [this] {
            if (m_files->inProgress() == 0)
                close();
        };
        connect(m_files, &RunExport::written, this, closeWhenWritten);
        connect(m_files, &RunExport::failed, this, closeWhenWritten);
        QTimer::singleShot(patienceWithFiles, this, &QWidget::close);
        return;
    }
    saveSettings();
    m_runs->stopAll();
    event->accept();
}

void MainWindow::closeWithoutAsking()
{
    m_closing = true;
    close();
}

QString MainWindow::atStake() const
{
    const int training = m_runs->unfinished();
    int notKept = 0;
    for (int row = 0; row < m_runs->size(); ++row) {
        const Run& run = m_runs->at(row);
        const bool ended = isEnd(run.session->state());
        if (ended && !run.kept && run.session->speed().trainingSeconds >= worthAsking)
            ++notKept;
    }
    if (training > 0 && notKept > 0)
        return tr("Runs that have not ended: %1. Ended runs whose curve was not exported: %2.")
            .arg(training)
            .arg(notKept);
    if (training > 0)
        return tr("Runs that have not ended: %1.").arg(training);
    return notKept > 0 ? tr("Ended runs whose curve was not exported: %1.").arg(notKept)
                       : QString();
}

void MainWindow::askBeforeClosing(const QString& what)
{
    m_asking = true;
    auto* const box = new QMessageBox(QMessageBox::Question, tr("Close?"),
                                      what + QLatin1Char('\n') + tr("Closing loses them."),
                                      QMessageBox::NoButton, this);
    box->setObjectName(QStringLiteral("closeQuestion"));
    box->setAttribute(Qt::WA_DeleteOnClose);
    QPushButton* const close = box->addButton(tr("Stop and close"), QMessageBox::AcceptRole);
    QPushButton* const stay = box->addButton(tr("Keep the window"), QMessageBox::RejectRole);
    box->setDefaultButton(close);
    box->setEscapeButton(stay);
    connect(box, &QMessageBox::finished, this, [this, box, close] {
        m_asking = false;
        if (box->clickedButton() == close)
            closeWithoutAsking();
    });
    box->open();
}

void MainWindow::saveSettings()
{
    m_panel->save();
    m_speeds.save();
    QSettings settings;
    settings.beginGroup(group);
    settings.setValue(QStringLiteral("geometry"), saveGeometry());
    settings.setValue(QStringLiteral("rows"), m_rows->saveState());
    settings.setValue(QStringLiteral("textSize"), m_textSize);
}

void MainWindow::restoreSettings()
{
    QSettings settings;
    settings.beginGroup(group);
    const QSize room = screen()->availableSize();
    resize(room.boundedTo(QSize(1840, 1000)) - QSize(0, 40));
    restoreGeometry(settings.value(QStringLiteral("geometry")).toByteArray());
    m_rows->restoreState(settings.value(QStringLiteral("rows")).toByteArray());
    setTextSize(settings.value(QStringLiteral("textSize")).toInt());
    settings.endGroup();
    m_panel->restore();
}

} // namespace fullbatch
