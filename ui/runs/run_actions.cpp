// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/run_actions.h"

#include "ui/parts/action_icons.h"
#include "ui/runs/run_list.h"

#include <QAction>
#include <QApplication>

#include <algorithm>
#include <utility>

namespace fullbatch {

namespace {

/// A Start within so long after another Start (also one that was ignored) is part of the same
/// burst.
constexpr qint64 burstMilliseconds = 600;

} // namespace

RunActions::RunActions(RunList& runs, QObject* parent)
    : QObject(parent),
      m_runs(runs),
      m_start(make(QStringLiteral("start"), tr("&Start"),
                   tr("Trains what the form on the left says."), Qt::Key_F5)),
      m_pause(make(QStringLiteral("pause"), tr("&Pause"),
                   tr("Holds the runs after the epoch they are in."), Qt::Key_F6)),
      m_resume(
          make(QStringLiteral("resume"), tr("&Resume"), tr("Lets paused runs go on."), Qt::Key_F7)),
      m_step(make(QStringLiteral("step"), tr("S&tep"), tr("Trains one epoch and pauses."),
                  Qt::Key_F8)),
      m_stop(make(QStringLiteral("stop"), tr("St&op"),
                  tr("Ends the runs; their curves and weights are kept."), Qt::Key_F9))
{
    m_step->setAutoRepeat(true);
    connect(m_start, &QAction::triggered, this, &RunActions::askStart);
    connect(m_pause, &QAction::triggered, this, [this] { ask(&TrainingSession::pause); });
    connect(m_resume, &QAction::triggered, this, [this] { ask(&TrainingSession::resume); });
    connect(m_step, &QAction::triggered, this, [this] { ask(&TrainingSession::step); });
    connect(m_stop, &QAction::triggered, this, [this] { ask(&TrainingSession::stop); });
    connect(&runs, &RunList::inserted, this, &RunActions::update);
    connect(&runs, &RunList::removed, this, &RunActions::update);
    connect(&runs, &RunList::changed, this, &RunActions::update);
    drawIcons();
    update();
}

QAction* RunActions::make(const QString& name, const QString& text, const QString& help, int key)
{
    auto* const action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(QKeySequence(key));
    action->setAutoRepeat(false);
    action->setStatusTip(help);
    QString plain = text;
    action->setToolTip(QStringLiteral("%1 (%2)\n%3")
                           .arg(plain.remove(QLatin1Char('&')),
                                action->shortcut().toString(QKeySequence::NativeText), help));
    return action;
}

void RunActions::drawIcons()
{
    const QPalette palette = QApplication::palette();
    m_start->setIcon(actionIcon(ActionIcon::Start, palette));
    m_pause->setIcon(actionIcon(ActionIcon::Pause, palette));
    m_resume->setIcon(actionIcon(ActionIcon::Resume, palette));
    m_step->setIcon(actionIcon(ActionIcon::Step, palette));
    m_stop->setIcon(actionIcon(ActionIcon::Stop, palette));
}

void RunActions::setTargets(std::vector<int> ids)
{
    m_targets = std::move(ids);
    update();
}

std::vector<TrainingSession*> RunActions::targets() const
{
    std::vector<TrainingSession*> sessions;
    for (int row = 0; row < m_runs.size(); ++row) {
        const Run& run = m_runs.at(row);
        const bool selected =
            std::find(m_targets.begin(), m_targets.end(), run.id) != m_targets.end();
        if (m_targets.empty() || selected)
            sessions.push_back(run.session.get());
    }
    return sessions;
}

template <typename Request>
void RunActions::ask(Request request)
{
    m_sinceStart.invalidate(); // another Start after this is meant
    // Backwards, so that stopping a run does not first start a waiting one that is stopped next.
    const std::vector<TrainingSession*> sessions = targets();
    for (auto session = sessions.rbegin(); session != sessions.rend(); ++session)
        ((*session)->*request)();
    update();
}

void RunActions::setLearningRate(double rate)
{
    for (TrainingSession* const session : targets())
        if (!isEnd(session->state()))
            session->setLearningRate(rate);
}

bool RunActions::rateApplies() const
{
    const auto sessions = targets();
    return std::any_of(sessions.begin(), sessions.end(), [](const TrainingSession* session) {
        return !isEnd(session->state()) && session->state() != RunState::Stopping;
    });
}

void RunActions::update()
{
    const auto sessions = targets();
    const auto any = [&](bool (TrainingSession::*can)() const) {
        return std::any_of(sessions.begin(), sessions.end(),
                           [can](const TrainingSession* session) { return (session->*can)(); });
    };
    m_pause->setEnabled(any(&TrainingSession::canPause));
    m_resume->setEnabled(any(&TrainingSession::canResume));
    m_step->setEnabled(any(&TrainingSession::canStep));
    m_stop->setEnabled(any(&TrainingSession::canStop));
    emit updated();
}

void RunActions::askStart()
{
    const bool sameBurst = m_sinceStart.isValid() && m_sinceStart.elapsed() < burstMilliseconds;
    m_sinceStart.restart();
    if (!sameBurst)
        emit startAsked();
}

} // namespace fullbatch
