// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/named_values.h"

#include <array>
#include <cstdint>

namespace fullbatch {

enum class ScheduleKind { Constant, Step, Cosine };

inline constexpr std::array<NamedValue<ScheduleKind>, 3> scheduleNames{{
    {ScheduleKind::Constant, "constant"},
    {ScheduleKind::Step, "step"},
    {ScheduleKind::Cosine, "cosine"},
}};

/// How the learning rate changes from epoch to epoch, as PyTorch's schedulers have it.
///   Constant  the rate as it is
///   Step      StepLR: times stepFactor every stepEpochs epochs
///   Cosine    CosineAnnealingLR with eta_min 0 over all epochs (I. Loshchilov and F. Hutter 2017)
/// A warm-up of W epochs stands before any of them: epoch e < W has the part (e + 1) / (W + 1) of
/// the rate, which is SequentialLR of LinearLR(start_factor = 1 / (W + 1), total_iters = W) and the
/// schedule, which begins at epoch W and has the other epochs for itself.
struct LearningRateSchedule
{
    ScheduleKind kind = ScheduleKind::Constant;
    std::int64_t stepEpochs = 20; ///< at least 1
    double stepFactor = 0.5;
    std::int64_t warmUpEpochs = 0;

    friend bool operator==(const LearningRateSchedule&, const LearningRateSchedule&) = default;
};

/// The rate of each epoch of a run, equal in every bit to what PyTorch's schedulers leave in the
/// optimiser: like them it goes from the rate of one epoch to that of the next. So a rate changed
/// by hand is the one from which the schedule goes on, scaled by the change. For one thread.
class LearningRates
{
public:
    /// `epochs`: of the whole run.
    LearningRates(const LearningRateSchedule& schedule, double rate, std::uint64_t epochs);

    /// Cheap for an epoch at or soon after the last one asked for; an earlier one begins anew, with
    /// the changes by hand forgotten.
    [[nodiscard]] double at(std::uint64_t epoch);
    /// Makes `rate` the rate of that epoch. False, and nothing changed, when it is that anyway.
    bool setByHand(std::uint64_t epoch, double rate);

private:
    void begin();
    void goOn();

    LearningRateSchedule m_schedule;
    double m_base;
    std::uint64_t m_warmUp;
    std::uint64_t m_period; ///< epochs of the schedule behind the warm-up; at least 1
    std::uint64_t m_epoch = 0;
    double m_rate = 0; ///< of m_epoch
    double m_scale = 1; ///< all changes by hand together
};

} // namespace fullbatch
