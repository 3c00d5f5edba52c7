// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/speed_meter.h"

#include <limits>

namespace fullbatch {

namespace {

// Shorter chunks are added to their neighbour, so that the list stays short at any pace.
constexpr double shortestChunkSeconds = SpeedMeter::windowSeconds / 300;

} // namespace

double secondsLeft(const Speed& speed, std::uint64_t epochsLeft)
{
    if (epochsLeft == 0)
        return 0;
    if (speed.epochsPerSecond <= 0)
        return std::numeric_limits<double>::infinity();
    return static_cast<double>(epochsLeft) / speed.epochsPerSecond;
}

void SpeedMeter::add(std::uint64_t epochs, double seconds)
{
    if (!m_recent.empty() && m_recent.back().seconds < shortestChunkSeconds) {
        m_recent.back().epochs += epochs;
        m_recent.back().seconds += seconds;
    } else {
        m_recent.push_back({epochs, seconds});
    }
    m_recentEpochs += epochs;
    m_recentSeconds += seconds;
    m_totalSeconds += seconds;
    while (m_recent.size() > 1 && m_recentSeconds - m_recent.front().seconds >= windowSeconds) {
        m_recentEpochs -= m_recent.front().epochs;
        m_recentSeconds -= m_recent.front().seconds;
        m_recent.pop_front();
    }
}

Speed SpeedMeter::speed() const
{
    Speed speed;
    speed.trainingSeconds = m_totalSeconds;
    if (m_recentSeconds > 0)
        speed.epochsPerSecond = static_cast<double>(m_recentEpochs) / m_recentSeconds;
    return speed;
}

} // namespace fullbatch
