// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QElapsedTimer>
#include <QObject>

#include <vector>

class QAction;

namespace fullbatch {

class RunList;
class TrainingSession;

/// Start, Pause, Resume, Step and Stop. All but Start act on the targets: the selected runs, or
/// every run when none is selected; each is enabled exactly while it would do something.
class RunActions : public QObject
{
    Q_OBJECT

public:
    explicit RunActions(RunList& runs, QObject* parent = nullptr);

    [[nodiscard]] QAction* start() const { return m_start; }
    [[nodiscard]] QAction* pause() const { return m_pause; }
    [[nodiscard]] QAction* resume() const { return m_resume; }
    [[nodiscard]] QAction* step() const { return m_step; }
    [[nodiscard]] QAction* stop() const { return m_stop; }

    /// Empty: every run.
    void setTargets(std::vector<int> ids);
    void setLearningRate(double rate);
    void drawIcons();
    /// Whether a change of the learning rate would change anything.
    [[nodiscard]] bool rateApplies() const;

signals:
    void startAsked(); ///< once for a burst of clicks and key strokes
    void updated(); ///< the enabled states were looked at anew

private:
    QAction* make(const QString& name, const QString& text, const QString& help, int key);
    [[nodiscard]] std::vector<TrainingSession*> targets() const;
    template <typename Request>
    void ask(Request request);
    void update();
    void askStart();

    RunList& m_runs;
    std::vector<int> m_targets;
    QElapsedTimer m_sinceStart;
    QAction* m_start;
    QAction* m_pause;
    QAction* m_resume;
    QAction* m_step;
    QAction* m_stop;
};

} // namespace fullbatch
