// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"
#include "core/engine/peak_flops.h"
#include "core/training/run_spec.h"

#include <memory>
#include <optional>
#include <vector>

namespace fullbatch {

/// How long single epochs of one network take on one engine.
struct EpochTiming
{
    double medianSeconds = 0;
    double minimumSeconds = 0;
    double upperQuartileSeconds = 0; ///< with the median: the spread
    std::size_t epochs = 0;
    double gflops = 0; ///< useful operations (flopsPerEpoch) at the median
    // Of the machine, if asked for: rounds between the epochs, so that both meet the same clock.
    std::optional<double> peakGflops; ///< median of the rounds
    std::optional<double> highestPeakGflops;
};

/// Times single epochs for about `seconds`, at least 5 of them, after some to warm up. Ends early
/// when the loss is no longer finite. Throws what the engine throws. `peak` may be null; its rounds
/// are taken every few milliseconds in turns with the epochs. Rows are used in file order.
[[nodiscard]] EpochTiming timeEpochs(const EngineChoice& engine, const TrainingProblem& problem,
                                     double learningRate, const Batches& batches, double seconds,
                                     PeakLoop* peak);

} // namespace fullbatch
