// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>

namespace fullbatch {

struct Speed
{
    double epochsPerSecond = 0; ///< over the recent past; 0 before the first chunk
    double trainingSeconds = 0; ///< since the run began, pauses left out
};

/// Seconds that `epochsLeft` take at this speed; infinity before there is a speed.
[[nodiscard]] double secondsLeft(const Speed& speed, std::uint64_t epochsLeft);

/// Speed over the last few seconds of training. Only time spent in chunks counts, so pauses do not.
/// A plain value without a clock.
class SpeedMeter
{
public:
    static constexpr double windowSeconds = 3;

    void add(std::uint64_t epochs, double seconds);
    [[nodiscard]] Speed speed() const;

private:
    struct Chunk
    {
        std::uint64_t epochs;
        double seconds;
    };
    std::deque<Chunk> m_recent; // together at least windowSeconds once there is so much
    double m_recentSeconds = 0;
    std::uint64_t m_recentEpochs = 0;
    double m_totalSeconds = 0;
};

} // namespace fullbatch
