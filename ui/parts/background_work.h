// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <memory>
#include <stop_token>
#include <thread>

namespace fullbatch {

/// Work in a thread of its own that a window owns but never waits for.
///
/// Created, used and destroyed in the GUI thread. Destroying it asks the work to stop, drops every
/// reply that has not arrived and waits a fifth of a second at most: work that is inside a step
/// that cannot be interrupted (reading a huge file, a device that hangs) is left to end by itself,
/// so the work must own or share everything it touches. The thread runs at a lower priority than
/// the GUI thread: on Linux as SCHED_BATCH, which any event of the window interrupts at once, and
/// at nice 1, which costs little where other programs compute. An engine's threads inherit both.
class BackgroundWork
{
public:
    /// What the work sees of the outside.
    class Caller
    {
    public:
        /// Any thread: runs `reply` in the GUI thread, unless the BackgroundWork is gone by then.
        void post(std::function<void()> reply) const;
        [[nodiscard]] std::stop_token stopToken() const { return m_stop; }

    private:
        friend class BackgroundWork;
        std::stop_token m_stop;
        std::shared_ptr<QObject> m_inbox; // lives in the GUI thread
        std::shared_ptr<bool> m_wanted; // used in the GUI thread alone
    };

    explicit BackgroundWork(std::function<void(const Caller&)> work);
    ~BackgroundWork();
    BackgroundWork(const BackgroundWork&) = delete;
    BackgroundWork& operator=(const BackgroundWork&) = delete;

    /// As destroying, without any waiting.
    void abandon();

    /// How many works were left behind and still run. While there are any, a process must not run
    /// the destructors of its libraries: see leave().
    [[nodiscard]] static int leftBehind();

private:
    struct Progress; // shared with the thread
    void leaveBehindUnlessDone();

    std::shared_ptr<Progress> m_progress;
    std::shared_ptr<QObject> m_inbox; // replies on their way go down with it
    std::shared_ptr<bool> m_wanted;
    std::jthread m_thread;
};

/// Last line of main(): ends the process with `exitStatus` at once when work was left behind,
/// otherwise returns it.
[[nodiscard]] int leave(int exitStatus);

} // namespace fullbatch
