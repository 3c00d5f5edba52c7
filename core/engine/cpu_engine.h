// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"

namespace fullbatch {

/// The float32 engine for every CPU. Rows are cut into fixed tiles that go through forward, loss
/// and backward while in cache; each group of tiles has its own partial gradient and the partial
/// gradients are added in a fixed order, so the bits do not depend on the number of threads.
[[nodiscard]] std::unique_ptr<TrainingEngine> makeCpuEngine(const TrainingProblem& problem);

/// Its line in the engine list.
[[nodiscard]] EngineChoice cpuEngineChoice();

} // namespace fullbatch
