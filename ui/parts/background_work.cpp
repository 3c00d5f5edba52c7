// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/background_work.h"

#include <QCoreApplication>
#include <QEvent>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <utility>

#ifdef __linux__
#include <sched.h>
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace fullbatch {

namespace {

constexpr std::chrono::milliseconds patience{200};

std::atomic<int> worksLeftBehind = 0; // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

void lowerPriorityOfThisThread()
{
#ifdef __linux__
    constexpr int nice = 1;
    const sched_param none = {};
    sched_setscheduler(gettid(), SCHED_BATCH, &none);
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice);
#endif
}

/// Carries a reply to the GUI thread.
class Reply : public QEvent
{
public:
    explicit Reply(std::function<void()> function) : QEvent(QEvent::User), run(std::move(function))
    {
    }
    std::function<void()> run;
};

/// Runs replies in the thread it lives in.
class Inbox : public QObject
{
protected:
    void customEvent(QEvent* event) override
    {
        if (auto* const reply = dynamic_cast<Reply*>(event))
            reply->run();
    }
};

} // namespace

struct BackgroundWork::Progress
{
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false; // guarded by mutex
    bool leftBehind = false; // guarded by mutex
};

void BackgroundWork::Caller::post(std::function<void()> reply) const
{
    QCoreApplication::postEvent(m_inbox.get(),
                                new Reply([wanted = m_wanted, reply = std::move(reply)] {
                                    if (*wanted)
                                        reply();
                                }));
}

BackgroundWork::BackgroundWork(std::function<void(const Caller&)> work)
    : m_progress(std::make_shared<Progress>()),
      m_wanted(std::make_shared<bool>(true))
{
    // Its last owner may be the thread, long after the window.
    m_inbox = std::shared_ptr<QObject>(new Inbox, [](QObject* o) { o->deleteLater(); });
    Caller caller;
    caller.m_inbox = m_inbox;
    caller.m_wanted = m_wanted;
    m_thread = std::jthread([progress = m_progress, caller = std::move(caller),
                             work = std::move(work)](const std::stop_token& stop) mutable {
        lowerPriorityOfThisThread();
        caller.m_stop = stop;
        work(caller);
        work = nullptr; // what it owned goes before anybody is told
        const std::lock_guard lock(progress->mutex);
        progress->done = true;
        if (progress->leftBehind)
            --worksLeftBehind;
        progress->changed.notify_all();
    });
}

BackgroundWork::~BackgroundWork()
{
    *m_wanted = false;
    m_thread.request_stop();
    {
        std::unique_lock lock(m_progress->mutex);
        m_progress->changed.wait_for(lock, patience, [this] { return m_progress->done; });
    }
    leaveBehindUnlessDone();
}

void BackgroundWork::abandon()
{
    *m_wanted = false;
    m_thread.request_stop();
    leaveBehindUnlessDone();
}

void BackgroundWork::leaveBehindUnlessDone()
{
    const std::lock_guard lock(m_progress->mutex);
    if (m_progress->done || !m_thread.joinable())
        return; // a thread that is done is at its end: joining it takes an instant
    m_progress->leftBehind = true;
    ++worksLeftBehind;
    m_thread.detach();
}

int BackgroundWork::leftBehind()
{
    return worksLeftBehind;
}

int leave(int exitStatus)
{
    if (BackgroundWork::leftBehind() == 0)
        return exitStatus;
    std::fflush(nullptr);
    std::_Exit(exitStatus);
}

} // namespace fullbatch
