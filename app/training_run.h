// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"
#include "core/training/training_loop.h"

#include <memory>
#include <optional>
#include <string>

namespace fullbatch {

/// What is left of a run when it has ended, however it ended.
struct TrainingOutcome
{
    std::shared_ptr<const MetricsLog> log;
    std::optional<StopReason> reason; ///< nothing when the engine failed
    std::string failure; ///< why the engine failed, one sentence
    std::optional<Parameters> parameters; ///< the last finite ones; nothing when the engine failed
    Speed speed;
};

/// Trains in a worker thread, which alone touches the engine, shows the progress on standard error
/// and turns an interruption (see Interruption) into a stop. Returns when the worker has ended.
[[nodiscard]] TrainingOutcome trainInTerminal(const EngineChoice& engine, const RunSpec& spec,
                                              const TrainingProblem& problem, bool quiet);

} // namespace fullbatch
