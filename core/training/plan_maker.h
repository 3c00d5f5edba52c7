// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/batch_order.h"
#include "core/training/metrics_log.h"
#include "core/training/run_spec.h"

#include <optional>
#include <vector>

namespace fullbatch {

/// Makes the plans that a run's engine is handed chunk by chunk: the rate of each epoch by the
/// schedule and, with shuffled mini-batches, the order of the rows. Both depend on the spec, on
/// changes by hand and on the epoch alone, never on how the epochs are divided into chunks. For one
/// thread.
class PlanMaker
{
public:
    /// Goes on where `log` ends, with its changes by hand. `spec` must outlive it.
    PlanMaker(const RunSpec& spec, const MetricsLog& log);

    /// For epochs first .. first + epochs - 1; valid until the next call.
    [[nodiscard]] TrainingPlan plan(std::uint64_t first, std::size_t epochs);
    /// The rate of `epoch`, from which the schedule goes on. False when it is that anyway.
    bool changeRate(std::uint64_t epoch, double rate) { return m_sequence.setByHand(epoch, rate); }
    /// How many epochs one plan has at most, so that an order of rows takes some megabytes only.
    [[nodiscard]] std::size_t mostEpochs() const;

private:
    const RunSpec& m_spec;
    std::size_t m_trainRows;
    LearningRates m_sequence;
    std::optional<BatchOrder> m_batchOrder; // of shuffled mini-batches
    std::vector<double> m_rates; // of the latest plan
    std::vector<std::uint32_t> m_order; // of the latest plan
};

} // namespace fullbatch
