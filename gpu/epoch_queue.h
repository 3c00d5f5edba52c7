// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cuda_objects.h"
#include "gpu/engine_buffers.h"

#include <array>
#include <chrono>
#include <functional>
#include <span>

namespace fullbatch {

/// Runs the epochs of one call: rates go to the device ahead of them, records come back behind
/// them, and never more than two launches are on their way, so that a stop waits for two at most.
///
/// Rates and records lie in rings on the device, and the kernels take the place of the epoch that
/// the device itself counts: a launch is the same for every epoch. A second stream copies the
/// records of a launch when it is done; they are read before a third launch is queued, so the
/// device cannot overwrite what the host has not read.
///
/// Stream and buffers must outlive it.
class EpochQueue
{
public:
    EpochQueue(const Stream& stream, const EngineBuffers& buffers);

    /// What to launch.
    struct Launches
    {
        /// How many epochs the next launch has, given how many are left and what an epoch took in
        /// the latest launch (0: not known): at most maximumLaunch.
        std::function<std::size_t(std::size_t left, double epochSeconds)> size;
        /// Queues epochs first .. first + count - 1 of the call on the stream.
        std::function<void(std::size_t first, std::size_t count)> queue;
    };
    static constexpr std::size_t maximumLaunch = recordSlots / 4;
    static constexpr std::size_t maximumOnTheWay = 2; ///< launches

    /// As TrainingEngine::train: the number of epochs completed, of which the last may have a loss
    /// that is not finite. Returns when nothing is on its way any more.
    std::size_t run(std::span<const double> rates, std::span<EpochMetrics> records,
                    const std::stop_token& stop, const Launches& launches);

    /// Waits, without a word about errors, for what a call that failed left behind.
    void drain() noexcept;

private:
    using Clock = std::chrono::steady_clock;
    struct Launch
    {
        std::size_t first = 0;
        std::size_t count = 0;
        Clock::time_point queued;
    };

    void sendRates(std::span<const double> rates, std::size_t neededEnd);
    void queueCopy(const Launch& launch);
    bool readOldest(std::span<const double> rates, std::span<EpochMetrics> records);

    const Stream& m_stream;
    const EngineBuffers& m_buffers;
    Stream m_copyStream;
    std::array<Event, maximumOnTheWay> m_done; // a launch's kernels
    std::array<Event, maximumOnTheWay> m_copied; // its records
    PinnedMemory m_rates; // as the ring on the device
    PinnedMemory m_records; // as the ring on the device
    std::array<Launch, maximumOnTheWay> m_onTheWay;
    std::size_t m_launched = 0; // of this call; launch i uses place i % maximumOnTheWay
    std::size_t m_read = 0;
    std::size_t m_ratesSent = 0;
    std::size_t m_completed = 0;
    Clock::time_point m_lastRead;
    double m_epochSeconds = 0;
};

} // namespace fullbatch
