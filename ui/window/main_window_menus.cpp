// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include "ui/form/experiment_panel.h"
#include "ui/parts/theme.h"
#include "ui/runs/run_actions.h"
#include "ui/window/chart_tabs.h"
#include "ui/window/run_menu.h"

#include <QActionGroup>
#include <QApplication>
#include <QFileDialog>
#include <QMenu>
#include <QMenuBar>
#include <QMessageBox>
#include <QSettings>

namespace fullbatch {

namespace {

const auto themeKey = QStringLiteral("window/theme");

} // namespace

void MainWindow::addMenus()
{
    QMenu* const file = menuBar()->addMenu(tr("&File"));
    QAction* const open = file->addAction(tr("&Open data …"));
    open->setShortcut(QKeySequence::Open);
    connect(open, &QAction::triggered, this, [this] {
        auto* const dialog = new QFileDialog(this, tr("Open data"));
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->setFileMode(QFileDialog::ExistingFile);
        connect(dialog, &QFileDialog::fileSelected, this, &MainWindow::openData);
        dialog->open();
    });
    file->addSeparator();
    file->addActions({m_menu->exportCurve(), m_menu->exportWeights(), m_menu->exportPicture()});
    file->addSeparator();
    QAction* const quit = file->addAction(tr("&Quit"), this, &QWidget::close);
    quit->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Q));

    QMenu* const runs = menuBar()->addMenu(tr("&Runs"));
    runs->addActions({m_actions->start(), m_actions->pause(), m_actions->resume(),
                      m_actions->step(), m_actions->stop()});
    runs->addSeparator();
    runs->addActions({m_menu->showOrHide(), m_menu->remove(), m_menu->undoRemove()});
    addViewMenu();

    QMenu* const help = menuBar()->addMenu(tr("&Help"));
    help->addAction(tr("&About"), this, [this] {
        auto* const box = new QMessageBox(
            QMessageBox::Information, tr("About"),
            tr("%1 %2\n\nA workbench for full-batch gradient descent. Free software under the GNU "
               "General Public License, version 3 or later.")
                .arg(QApplication::applicationDisplayName(), QApplication::applicationVersion()),
            QMessageBox::Close, this);
        box->setAttribute(Qt::WA_DeleteOnClose);
        box->open();
    });
    help->addAction(tr("About &Qt"), qApp, &QApplication::aboutQt);
}

void MainWindow::addViewMenu()
{
    QMenu* const view = menuBar()->addMenu(tr("&View"));
    QAction* const larger = view->addAction(tr("&Larger text"));
    larger->setShortcuts(
        {QKeySequence(Qt::CTRL | Qt::Key_Plus), QKeySequence(Qt::CTRL | Qt::Key_Equal)});
    connect(larger, &QAction::triggered, this, [this] { setTextSize(m_textSize + 1); });
    QAction* const smaller = view->addAction(tr("&Smaller text"));
    smaller->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_Minus));
    connect(smaller, &QAction::triggered, this, [this] { setTextSize(m_textSize - 1); });
    QAction* const normal = view->addAction(tr("&Normal text"));
    normal->setShortcut(QKeySequence(Qt::CTRL | Qt::Key_0));
    connect(normal, &QAction::triggered, this, [this] { setTextSize(0); });
    view->addSeparator();

    view->addActions({m_charts->logarithmic(), m_charts->showAll()});
    view->addSeparator();
    auto* const themes = new QActionGroup(this);
    const int present = QSettings().value(themeKey).toInt();
    const auto add = [&](const QString& text, Theme theme) {
        QAction* const action = view->addAction(text);
        action->setCheckable(true);
        action->setChecked(static_cast<int>(theme) == present);
        themes->addAction(action);
        connect(action, &QAction::triggered, this, [theme] {
            applyTheme(theme);
            QSettings().setValue(themeKey, static_cast<int>(theme));
        });
    };
    add(tr("Colours of the s&ystem"), Theme::System);
    add(tr("Light c&olours"), Theme::Light);
    add(tr("&Dark colours"), Theme::Dark);
    if (present != static_cast<int>(Theme::System))
        applyTheme(present == static_cast<int>(Theme::Dark) ? Theme::Dark : Theme::Light);
}

} // namespace fullbatch
