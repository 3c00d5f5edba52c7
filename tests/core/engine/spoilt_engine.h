// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"

namespace fullbatch {

/// One thing that an engine does wrong.
enum class Fault {
    None,
    GradientScaled, ///< by 1.0001
    GradientIgnoresRows,
    LossShifted,
    PredictionDigestWrong,
    WrongRowsOffByOne,
    LogitsScaled,
    EvaluationShifted,
    EvaluationTrains,
    MomentumForgotten, ///< between calls
    FirstRateForAll,
    BitsDependOnThreads,
    BitsDependOnChunks,
    StateLosesVelocity,
    StopKeepsHalfAnEpoch,
    StopIgnored,
    KeepsTheOverflow, ///< after a loss that is not finite
    StopsLate, ///< reports one epoch too many after divergence
    Allocates,
    AcceptsEverything
};

/// The CPU engine with a fault, to see that the engine checks notice it.
[[nodiscard]] EngineChoice spoiltEngineChoice(Fault fault);

} // namespace fullbatch
