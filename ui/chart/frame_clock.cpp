// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/frame_clock.h"

#include <algorithm>
#include <cmath>
#include <thread>

namespace fullbatch {

std::chrono::milliseconds frameInterval(double lastFrameSeconds, unsigned cores)
{
    constexpr double shortest = 33;
    constexpr double longest = 2000; // a stuttering machine still shows that it lives
    const double fair = 50 * 1000 * lastFrameSeconds / std::max(1U, cores);
    return std::chrono::milliseconds(std::llround(std::clamp(fair, shortest, longest)));
}

FrameClock::FrameClock(unsigned cores, QObject* parent)
    : QObject(parent),
      m_cores(cores > 0 ? cores : std::thread::hardware_concurrency())
{
    m_timer.setInterval(frameInterval(0, m_cores));
    m_last.setSingleShot(true);
    connect(&m_timer, &QTimer::timeout, this, &FrameClock::frame);
    connect(&m_last, &QTimer::timeout, this, &FrameClock::frame);
}

void FrameClock::setActive(bool active)
{
    if (active == m_active)
        return;
    m_active = active;
    if (active) {
        m_last.stop();
        m_timer.start();
    } else {
        m_timer.stop();
        m_last.start();
    }
}

void FrameClock::setFrameCost(double seconds)
{
    const std::chrono::milliseconds wanted = frameInterval(seconds, m_cores);
    // Setting an interval restarts the timer, so small wobbles are let go.
    if (std::chrono::abs(wanted - m_timer.intervalAsDuration()) > m_timer.intervalAsDuration() / 5)
        m_timer.setInterval(wanted);
}

} // namespace fullbatch
