// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/speed_meter.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <stop_token>

namespace fullbatch {

/// The strings by which a person, from any thread, holds a run that trains in a worker thread.
/// Every call returns at once. Requests act between chunks (within some 20 ms); stop() also acts
/// within a long epoch. stop() is final; all other requests after it do nothing.
class TrainingControl
{
public:
    /// `pausedAtStart`: the worker waits before the first epoch.
    explicit TrainingControl(double learningRate, bool pausedAtStart = false);

    void pause();
    void resume();
    /// Trains `epochs` more epochs and pauses again; pauses first when running.
    void step(std::uint64_t epochs = 1);
    void stop();
    /// From the next chunk on. The value must be positive and finite.
    void setLearningRate(double rate);

    [[nodiscard]] bool paused() const; ///< asked to pause and not to step
    [[nodiscard]] bool stopRequested() const;
    [[nodiscard]] double learningRate() const;
    /// Measured by the worker; see SpeedMeter. Pauses do not count.
    [[nodiscard]] Speed speed() const;

    // The worker's side, called by runTraining().

    /// Waits while paused. Returns how many epochs may run before asking again (at most `wanted`),
    /// 0 after stop(). Tells `waited` whether it had to wait.
    [[nodiscard]] std::uint64_t waitForPermission(std::uint64_t wanted, bool& waited);
    /// Takes `epochs` off a pending step.
    void consumed(std::uint64_t epochs);
    void setSpeed(const Speed& speed);
    [[nodiscard]] std::stop_token stopToken() const { return m_stop.get_token(); }

private:
    mutable std::mutex m_mutex; // held for a few assignments only
    std::condition_variable m_changed;
    std::stop_source m_stop;
    bool m_paused; // guarded by m_mutex
    std::uint64_t m_steps = 0; // guarded by m_mutex: epochs allowed although paused
    double m_learningRate; // guarded by m_mutex
    Speed m_speed; // guarded by m_mutex
};

} // namespace fullbatch
