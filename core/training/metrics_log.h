// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"
#include "core/training/append_only_log.h"

#include <atomic>
#include <cstdint>
#include <memory>

namespace fullbatch {

/// One evaluation of the test split, taken where the record of `epoch` is.
struct TestMetrics
{
    std::uint64_t epoch = 0;
    Evaluation evaluation;
};

/// A learning rate that a person set: that of `epoch`, from which the schedule goes on.
struct RateChange
{
    std::uint64_t epoch = 0;
    double learningRate = 0;
};

/// Everything measured in one run. The worker appends; any thread reads, at any time, without
/// waiting. Entry e of `epochs` is epoch e: nothing is sampled, merged or dropped. A test entry is
/// published after its epoch, so who reads tests.size() before epochs.size() finds both.
/// What stands below the three is set before the log is shared.
struct MetricsLog
{
    AppendOnlyLog<EpochMetrics> epochs;
    AppendOnlyLog<TestMetrics> tests;
    AppendOnlyLog<RateChange> rateChanges; ///< by hand; published before their epochs
    std::size_t trainRows = 0;
    std::size_t testRows = 0;
    Precision precision = Precision::Fp32; ///< tells writers how many digits a loss has
    /// Records are measured after their epoch's last update (mini-batches) and not before its only
    /// one (full batch); see EpochMetrics.
    bool measuredAfter = false;
    /// Updates left out so far because a gradient in fp16 was not finite; looked at once a second.
    std::atomic<std::uint64_t> skippedSteps = 0;
};

struct RunSpec;

/// An empty log for a run on this data.
[[nodiscard]] std::shared_ptr<MetricsLog> makeLog(const RunSpec& spec, const Dataset& data);

/// 100 * wrong / rows; NaN when there are no rows.
[[nodiscard]] double errorPercent(std::uint32_t wrongRows, std::size_t rows);

} // namespace fullbatch
