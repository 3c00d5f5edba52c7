// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace fullbatch {

/// A fixed number of threads that do one piece of work together, again and again, without
/// allocating. The caller of run() is member 0; the others are made once and wait in between:
/// awake for some microseconds, because the next piece usually follows at once, then asleep.
/// They inherit the scheduling priority of the thread that makes the team.
class ThreadTeam
{
public:
    /// Throws EngineError when the system refuses a thread.
    explicit ThreadTeam(int size);
    ~ThreadTeam();
    ThreadTeam(const ThreadTeam&) = delete;
    ThreadTeam& operator=(const ThreadTeam&) = delete;

    [[nodiscard]] int size() const { return static_cast<int>(m_threads.size()) + 1; }

    /// Calls work(member) once for each member 0 .. size()-1, each in its own thread; returns when
    /// all have returned. `work` must not throw.
    template <typename Work>
    void run(const Work& work)
    {
        runErased(
            [](const void* erased, int member) { (*static_cast<const Work*>(erased))(member); },
            &work);
    }

private:
    using ErasedWork = void (*)(const void*, int);

    void runErased(ErasedWork call, const void* work);
    void memberLoop(int member);
    void dismiss();

    // Each on a cache line of its own: members watch one while others write elsewhere.
    alignas(64) std::atomic<std::uint32_t> m_round = 0; // raised once for each piece of work
    alignas(64) std::atomic<std::uint32_t> m_busy =
        0; // members other than the caller still at work
    alignas(64) ErasedWork m_call = nullptr; // written before m_round is raised
    const void* m_work = nullptr; // as m_call
    bool m_dismissed = false; // as m_call
    std::vector<std::thread> m_threads;
};

/// Cores that this process may use, at least 1.
[[nodiscard]] int usableCores();

} // namespace fullbatch
