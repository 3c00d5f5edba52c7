// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/learning_rate_schedule.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fullbatch {

namespace {

// The recursions of PyTorch's schedulers, operation by operation, since each rounds. `epoch` counts
// from the beginning of the scheduler and is at least 1.

double linearNext(double rate, double start, std::uint64_t total, std::uint64_t epoch)
{
    const double rise = 1.0 - start;
    return rate
        * (1.0
           + rise / (static_cast<double>(total) * start + static_cast<double>(epoch - 1) * rise));
}

double cosineNext(double rate, double base, std::uint64_t period, std::uint64_t epoch)
{
    const auto half = static_cast<double>(period);
    if ((epoch - 1) % (2 * period) == period) // from the lowest point up again
        return rate + base * (1 - std::cos(std::numbers::pi / half)) / 2;
    const auto place = static_cast<double>(epoch);
    return (1 + std::cos(std::numbers::pi * place / half))
        / (1 + std::cos(std::numbers::pi * (place - 1) / half)) * rate;
}

} // namespace

LearningRates::LearningRates(const LearningRateSchedule& schedule, double rate,
                             std::uint64_t epochs)
    : m_schedule(schedule),
      m_base(rate),
      m_warmUp(static_cast<std::uint64_t>(schedule.warmUpEpochs)),
      m_period(epochs > m_warmUp ? epochs - m_warmUp : 1)
{
    begin();
}

void LearningRates::begin()
{
    m_epoch = 0;
    m_scale = 1;
    m_rate = m_warmUp > 0 ? m_base * (1.0 / static_cast<double>(m_warmUp + 1)) : m_base;
}

void LearningRates::goOn()
{
    ++m_epoch;
    if (m_epoch < m_warmUp) {
        m_rate = linearNext(m_rate, 1.0 / static_cast<double>(m_warmUp + 1), m_warmUp, m_epoch);
    } else if (m_epoch == m_warmUp) {
        m_rate = m_base * m_scale; // the schedule begins
    } else if (m_schedule.kind == ScheduleKind::Step) {
        if ((m_epoch - m_warmUp) % static_cast<std::uint64_t>(m_schedule.stepEpochs) == 0)
            m_rate *= m_schedule.stepFactor;
    } else if (m_schedule.kind == ScheduleKind::Cosine) {
        m_rate = cosineNext(m_rate, m_base * m_scale, m_period, m_epoch - m_warmUp);
    }
}

double LearningRates::at(std::uint64_t epoch)
{
    if (epoch < m_epoch)
        begin();
    if (m_schedule.kind == ScheduleKind::Constant && m_epoch >= m_warmUp)
        m_epoch = epoch;
    while (m_epoch < epoch)
        goOn();
    return m_rate;
}

bool LearningRates::setByHand(std::uint64_t epoch, double rate)
{
    const double scheduled = at(epoch);
    if (rate == scheduled)
        return false;
    m_scale = scheduled > 0 ? m_scale * (rate / scheduled) : rate / m_base;
    m_rate = rate;
    return true;
}

} // namespace fullbatch
