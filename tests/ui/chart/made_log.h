// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/metrics_log.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

namespace fullbatch {

inline constexpr std::uint32_t madeRows = 4000; ///< training rows of a made log

/// Adds epochs up to `end` with the errors that `percent(epoch)` gives (rounded to whole rows) and
/// a loss of a hundredth of it. NaN and infinity become the loss.
template <typename Percent>
void extendLog(MetricsLog& log, std::size_t end, const Percent& percent)
{
    log.trainRows = madeRows;
    while (log.epochs.size() < end) {
        const std::size_t first = log.epochs.size();
        const std::span<EpochMetrics> entries = log.epochs.next(end - first);
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const double error = percent(first + i);
            entries[i].loss = error / 100;
            entries[i].learningRate = 0.0025;
            if (std::isfinite(error))
                entries[i].wrongRows =
                    static_cast<std::uint32_t>(std::lround(error / 100 * madeRows));
        }
        log.epochs.publish(entries.size());
    }
}

template <typename Percent>
std::shared_ptr<MetricsLog> madeLog(std::size_t epochs, const Percent& percent)
{
    auto log = std::make_shared<MetricsLog>();
    extendLog(*log, epochs, percent);
    return log;
}

inline void addTest(MetricsLog& log, std::uint64_t epoch, double percent)
{
    const std::span<TestMetrics> entry = log.tests.next(1);
    entry[0].epoch = epoch;
    entry[0].evaluation.rows = 1000;
    entry[0].evaluation.loss = percent / 100;
    entry[0].evaluation.wrongRows = static_cast<std::uint32_t>(std::lround(percent * 10));
    log.tests.publish(1);
}

/// A repeatable number from 0 to 1 for an epoch of a run.
inline double noiseAt(std::uint64_t epoch, std::uint64_t run)
{
    constexpr std::uint64_t rows = 1U << 20U;
    return static_cast<double>(predictionDigest(epoch, run) % rows) / rows;
}

/// What training often looks like: a fall with noise that dies away and now and then a spike.
inline double decayingError(std::uint64_t epoch, std::uint64_t run, std::size_t epochs)
{
    const double progress = static_cast<double>(epoch) / static_cast<double>(epochs);
    const double trend = 90 * std::exp(-progress * 5 * (1 + 0.3 * static_cast<double>(run)));
    const double noise = (noiseAt(epoch, run) - 0.5) * (2 + 0.4 * trend);
    return std::clamp(trend + noise, 0.0, 100.0);
}

} // namespace fullbatch
