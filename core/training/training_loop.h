// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/metrics_log.h"
#include "core/training/run_spec.h"
#include "core/training/training_control.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace fullbatch {

enum class StopReason { EpochsDone, ZeroError, TargetError, NoTestGain, TimeUp, Diverged, Stopped };

/// The size of the next chunk so that one train() call takes about 20 ms: 1 at first, at most
/// doubled or halved, 1 .. 65,536. Pure.
[[nodiscard]] std::size_t nextChunk(std::size_t last, double secondsTaken);

/// The worker's side of a run: trains `engine` until spec.epochs are in `log`, a stop condition of
/// `spec` holds, the loss is not finite or control.stop() was called. Fills the log in place,
/// publishes chunk by chunk, measures speed, evaluates the test split where the records of the
/// epochs are taken that spec.testEvery asks for, and at the last one. Where a run ends, and every
/// number of it, is the same for any speed, unless it ends by time. Blocks while paused. Continues
/// a log that already has entries. Throws what the engine throws; what was published stays.
StopReason runTraining(TrainingEngine& engine, const RunSpec& spec, MetricsLog& log,
                       TrainingControl& control);

/// How a run ended and what is left of it beside its log.
struct TrainingEnd
{
    std::optional<StopReason> reason; ///< nothing when the engine failed
    std::string failure; ///< then: why, one sentence
    /// The last finite ones. A device that fails may take its parameters along; then those that
    /// were copied last, some seconds before at most, or nothing in a run shorter than that.
    std::optional<Parameters> parameters;
    std::uint64_t parametersEpoch = 0; ///< epochs in the log when `parameters` were copied
};

/// runTraining() whose end is always an answer: whatever the engine throws becomes its failure.
[[nodiscard]] TrainingEnd trainToTheEnd(TrainingEngine& engine, const RunSpec& spec,
                                        MetricsLog& log, TrainingControl& control);

} // namespace fullbatch
