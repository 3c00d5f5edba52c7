// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"
#include "core/training/training_loop.h"

#include <memory>

namespace fullbatch {

/// What is left of a run when it has ended, however it ended.
struct TrainingOutcome
{
    std::shared_ptr<const MetricsLog> log;
    TrainingEnd end; ///< a failure too when the engine could not be made
    Speed speed;
};

/// Trains in a worker thread, which alone touches the engine, shows the progress on standard error
/// and turns an interruption (see Interruption) into a stop. Returns when the worker has ended.
[[nodiscard]] TrainingOutcome trainInTerminal(const EngineChoice& engine, const RunSpec& spec,
                                              const TrainingProblem& problem, bool quiet);

} // namespace fullbatch
