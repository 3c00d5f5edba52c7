// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"

namespace fullbatch {

/// The referee: float64, one thread, plain loops over Eigen matrices, written to be read. In tf32,
/// bf16 and fp16 it is the model of the other engines: their rounding of products' inputs, their
/// float32 weights and loss scale, with sums in float64.
[[nodiscard]] std::unique_ptr<TrainingEngine> makeReferenceEngine(const TrainingProblem& problem);

/// Its line in the engine list.
[[nodiscard]] EngineChoice referenceEngineChoice();

} // namespace fullbatch
