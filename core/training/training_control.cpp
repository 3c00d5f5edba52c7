// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/training_control.h"

#include <algorithm>
#include <cmath>

namespace fullbatch {

TrainingControl::TrainingControl(double learningRate, bool pausedAtStart)
    : m_paused(pausedAtStart),
      m_learningRate(learningRate)
{
}

void TrainingControl::pause()
{
    const std::lock_guard lock(m_mutex);
    if (stopRequested())
        return;
    m_paused = true;
    m_steps = 0;
    m_stepsInFlight = 0;
}

void TrainingControl::resume()
{
    {
        const std::lock_guard lock(m_mutex);
        if (stopRequested())
            return;
        m_paused = false;
        m_steps = 0;
        m_stepsInFlight = 0;
    }
    m_changed.notify_all();
}

void TrainingControl::step(std::uint64_t epochs)
{
    {
        const std::lock_guard lock(m_mutex);
        if (stopRequested())
            return;
        m_paused = true;
        m_steps += epochs;
    }
    m_changed.notify_all();
}

void TrainingControl::stop()
{
    m_stop.request_stop();
    // A worker that looked before the request now waits, or sees it: its look holds the mutex.
    {
        const std::lock_guard lock(m_mutex);
    }
    m_changed.notify_all();
}

bool TrainingControl::setLearningRate(double rate)
{
    if (!std::isfinite(rate) || rate <= 0)
        return false;
    const std::lock_guard lock(m_mutex);
    if (!stopRequested()) {
        m_learningRate = rate;
        m_rateAsked = true;
    }
    return true;
}

bool TrainingControl::paused() const
{
    const std::lock_guard lock(m_mutex);
    return m_paused && m_steps == 0;
}

bool TrainingControl::waiting() const
{
    const std::lock_guard lock(m_mutex);
    return m_waiting && mustWait();
}

bool TrainingControl::stopRequested() const
{
    return m_stop.stop_requested();
}

double TrainingControl::learningRate() const
{
    const std::lock_guard lock(m_mutex);
    return m_learningRate;
}

Speed TrainingControl::speed() const
{
    const std::lock_guard lock(m_mutex);
    return m_speed;
}

std::uint64_t TrainingControl::waitForPermission(std::uint64_t wanted)
{
    std::unique_lock lock(m_mutex);
    m_waiting = true;
    m_changed.wait(lock, [this] { return !mustWait(); });
    m_waiting = false;
    if (stopRequested())
        return 0;
    m_stepsInFlight = m_paused ? std::min(wanted, m_steps) : 0;
    return m_paused ? m_stepsInFlight : wanted;
}

void TrainingControl::consumed(std::uint64_t epochs)
{
    const std::lock_guard lock(m_mutex);
    m_steps -= std::min(epochs, m_stepsInFlight);
    m_stepsInFlight = 0;
}

void TrainingControl::setSpeed(const Speed& speed)
{
    const std::lock_guard lock(m_mutex);
    m_speed = speed;
}

std::optional<double> TrainingControl::takeLearningRate()
{
    const std::lock_guard lock(m_mutex);
    if (!m_rateAsked)
        return std::nullopt;
    m_rateAsked = false;
    return m_learningRate;
}

void TrainingControl::setTrainedRate(double rate)
{
    const std::lock_guard lock(m_mutex);
    if (!m_rateAsked)
        m_learningRate = rate;
}

bool TrainingControl::mustWait() const
{
    return m_paused && m_steps == 0 && !stopRequested();
}

} // namespace fullbatch
