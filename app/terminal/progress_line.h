// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/metrics_log.h"
#include "core/training/speed_meter.h"

#include <chrono>
#include <string>

namespace fullbatch {

/// "3 h 12 min", "4 min 5 s", "12 s", "0.3 s"; "unknown" for what is not finite.
[[nodiscard]] std::string durationText(double seconds);

/// One line, at most `columns` characters, without a line end:
/// "[####------]  40 %  epoch 800 of 2,000  error 61.20 %  163 epochs/s  7 s left, done at 14:05".
/// From the right, what does not fit is left out.
[[nodiscard]] std::string progressLine(const MetricsLog& log, std::int64_t epochs,
                                       const Speed& speed,
                                       std::chrono::system_clock::time_point now,
                                       std::size_t columns);

/// Shows the progress of one run on standard error: a line that is drawn over and over on a
/// terminal, otherwise a new line now and then. One thread.
class ProgressDisplay
{
public:
    explicit ProgressDisplay(bool quiet);

    /// Call it often; it decides when something is to be drawn.
    void show(const MetricsLog& log, std::int64_t epochs, const Speed& speed);
    /// Draws the last state and ends the line.
    void finish(const MetricsLog& log, std::int64_t epochs, const Speed& speed);

private:
    using Clock = std::chrono::steady_clock;

    void draw(const MetricsLog& log, std::int64_t epochs, const Speed& speed);

    bool m_quiet;
    bool m_terminal;
    Clock::time_point m_next; // nothing is drawn before
};

} // namespace fullbatch
