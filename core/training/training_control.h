// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/speed_meter.h"

#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
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
    /// Pauses and trains exactly `epochs` more epochs, after the chunk in flight when running.
    /// Steps asked for before the earlier ones are done add up; pause() and resume() drop them.
    void step(std::uint64_t epochs = 1);
    void stop();
    /// From the next chunk on; the schedule goes on from this rate. False, and nothing changed,
    /// unless the rate is positive and finite.
    bool setLearningRate(double rate);

    [[nodiscard]] bool paused() const; ///< asked to pause, and no step left to do
    /// The worker has followed: it waits and trains nothing until the next request.
    [[nodiscard]] bool waiting() const;
    [[nodiscard]] bool stopRequested() const;
    /// What was asked for last or, once the worker has trained, what the latest epoch had.
    [[nodiscard]] double learningRate() const;
    /// Measured by the worker; see SpeedMeter. Pauses do not count.
    [[nodiscard]] Speed speed() const;

    // The worker's side, called by runTraining().

    /// Waits while paused. Returns how many epochs may run before asking again (at most `wanted`,
    /// which must be at least 1), 0 after stop().
    [[nodiscard]] std::uint64_t waitForPermission(std::uint64_t wanted);
    /// Says how many of the permitted epochs were trained; a pending step shrinks by them.
    void consumed(std::uint64_t epochs);
    void setSpeed(const Speed& speed);
    /// The rate that was asked for since the last call, if any.
    [[nodiscard]] std::optional<double> takeLearningRate();
    /// Of the latest epoch.
    void setTrainedRate(double rate);
    [[nodiscard]] std::stop_token stopToken() const { return m_stop.get_token(); }

private:
    [[nodiscard]] bool mustWait() const; // needs m_mutex

    mutable std::mutex m_mutex; // held for a few assignments only
    std::condition_variable m_changed;
    std::stop_source m_stop;
    // All below are guarded by m_mutex.
    bool m_paused;
    bool m_waiting = false; // the worker is inside waitForPermission() and was not allowed to go
    std::uint64_t m_steps = 0; // epochs allowed although paused
    std::uint64_t m_stepsInFlight = 0; // those of m_steps that the worker trains now
    double m_learningRate;
    bool m_rateAsked = false; // m_learningRate was asked for and not taken yet
    Speed m_speed;
};

} // namespace fullbatch
