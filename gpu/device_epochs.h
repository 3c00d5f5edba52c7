// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/epoch_batches.h"
#include "gpu/device_descent.h"
#include "gpu/device_problem.h"
#include "gpu/epoch_graphs.h"
#include "gpu/epoch_queue.h"

#include <optional>

namespace fullbatch {

/// The epochs of a plan as a device's work: each batch's pass and update and, behind several
/// batches, a pass over all rows that measures. Nothing of it waits for the host: an epoch whose
/// order is the plan's own finds it in a buffer that the host fills ahead.
///
/// What plans of one kind have in common is captured once. Problem and descent must outlive it.
class DeviceEpochs
{
public:
    DeviceEpochs(DeviceProblem& problem, DeviceDescent& descent, const LaunchOptions& options);

    /// How EpochQueue launches the epochs of the plan, which must outlive the launches. When the
    /// plan's kind is not that of the last one: an epoch's work runs once without a step, to load
    /// what is loaded late, and is captured; the descent must begin() anew afterwards.
    [[nodiscard]] EpochQueue::Launches launches(const TrainingPlan& plan);
    /// Of the latest kind of plan; none before the first.
    [[nodiscard]] const std::optional<EpochGraphs>& graphs() const { return m_graphs; }

private:
    /// What an epoch's work depends on; the plan's rates and orders are data.
    struct Kind
    {
        std::size_t batchSize = 0; ///< at most the number of training rows
        bool dropLast = false;
        bool ordered = false;

        friend bool operator==(const Kind&, const Kind&) = default;
    };

    void prepare(const TrainingPlan& plan);
    [[nodiscard]] EpochBatches batches() const;
    [[nodiscard]] DeviceProblem::RowWork rowWork(std::size_t meanRows) const;
    void sendOrder(const TrainingPlan& plan, std::size_t epoch);
    void queueBatch(const EpochBatches& batches, std::size_t batch) const;
    void queueMeasurement() const;
    void queueEpoch() const;

    DeviceProblem& m_problem;
    DeviceDescent& m_descent;
    LaunchOptions m_options;
    Kind m_kind;
    const DevicePass* m_pass = nullptr; // over a batch
    PinnedMemory m_orders; // of the epochs on their way
    std::optional<EpochGraphs> m_graphs;
};

} // namespace fullbatch
