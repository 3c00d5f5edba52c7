// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>

#include <chrono>

namespace fullbatch {

/// Time between two frames, so that drawing takes at most a fiftieth of the machine and is never
/// faster than 30 a second: max(33 ms, 50 x the last frame's cost / cores).
[[nodiscard]] std::chrono::milliseconds frameInterval(double lastFrameSeconds, unsigned cores);

/// Says when the views are to pull and draw: again and again while something runs, and not at all
/// otherwise. Lives in the GUI thread.
class FrameClock : public QObject
{
    Q_OBJECT

public:
    /// `cores` 0: those of the machine.
    explicit FrameClock(unsigned cores = 0, QObject* parent = nullptr);

    /// Going from true to false still gives one last frame, for what arrived since the one before.
    void setActive(bool active);
    [[nodiscard]] bool active() const { return m_active; }

    /// What the last frame cost, pulling and painting of all views together.
    void setFrameCost(double seconds);
    [[nodiscard]] std::chrono::milliseconds interval() const
    {
        return m_timer.intervalAsDuration();
    }

signals:
    void frame();

private:
    QTimer m_timer;
    QTimer m_last; // the frame after the end
    unsigned m_cores;
    bool m_active = false;
};

} // namespace fullbatch
