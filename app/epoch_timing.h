// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"

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
    double gflops = 0; ///< useful operations (NetworkShape::flopsPerEpoch) at the median
};

/// Times single epochs for about `seconds`, at least 5 of them, after some to warm up. Ends early
/// when the loss is no longer finite. Throws what the engine throws.
[[nodiscard]] EpochTiming timeEpochs(const EngineChoice& engine, const TrainingProblem& problem,
                                     double learningRate, double seconds);

} // namespace fullbatch
