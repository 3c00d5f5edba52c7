// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/thread_team.h"

#include "core/engine/training_engine.h"

#include <algorithm>
#include <system_error>

#ifdef __linux__
#include <sched.h>
#endif
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace fullbatch {

namespace {

constexpr int spinsBeforeSleep = 4000; // some 50 microseconds

void relax()
{
#ifdef __SSE2__
    _mm_pause();
#endif
}

/// Waits until `value` is no longer `old`: awake at first, then asleep. Returns the new value.
std::uint32_t waitForChange(const std::atomic<std::uint32_t>& value, std::uint32_t old)
{
    for (int spin = 0; spin < spinsBeforeSleep; ++spin) {
        const std::uint32_t now = value.load(std::memory_order_acquire);
        if (now != old)
            return now;
        relax();
    }
    value.wait(old, std::memory_order_acquire);
    return value.load(std::memory_order_acquire);
}

} // namespace

ThreadTeam::ThreadTeam(int size)
{
    try {
        m_threads.reserve(static_cast<std::size_t>(std::max(size, 1) - 1));
        for (int member = 1; member < size; ++member)
            m_threads.emplace_back([this, member] { memberLoop(member); });
    } catch (const std::system_error& error) {
        const std::size_t started = m_threads.size() + 1;
        dismiss();
        throw EngineError("The system refused to start thread " + std::to_string(started + 1)
                          + " of " + std::to_string(size) + " (" + error.what()
                          + "); use fewer threads or end other programs.");
    }
}

ThreadTeam::~ThreadTeam()
{
    dismiss();
}

void ThreadTeam::dismiss()
{
    m_dismissed = true;
    m_round.fetch_add(1, std::memory_order_release);
    m_round.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
    m_threads.clear();
}

void ThreadTeam::runErased(ErasedWork call, const void* work)
{
    if (!m_threads.empty()) {
        m_call = call;
        m_work = work;
        m_busy.store(static_cast<std::uint32_t>(m_threads.size()), std::memory_order_relaxed);
        m_round.fetch_add(1, std::memory_order_release);
        m_round.notify_all();
    }
    call(work, 0);
    std::uint32_t busy = m_busy.load(std::memory_order_acquire);
    while (busy != 0)
        busy = waitForChange(m_busy, busy);
}

void ThreadTeam::memberLoop(int member)
{
    std::uint32_t round = 0;
    for (;;) {
        round = waitForChange(m_round, round);
        if (m_dismissed)
            return;
        m_call(m_work, member);
        if (m_busy.fetch_sub(1, std::memory_order_acq_rel) == 1)
            m_busy.notify_one();
    }
}

int usableCores()
{
#ifdef __linux__
    cpu_set_t set; // a container or taskset may leave fewer cores than the machine has
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return std::max(CPU_COUNT(&set), 1);
#endif
    return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

} // namespace fullbatch
