// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"

#include <string_view>

namespace fullbatch {

// What every engine asks of its callers, in one place. Each function throws std::invalid_argument
// with one sentence that says what is wrong, where, and what is allowed.

/// Data present and of the network's sizes, labels in range, finite start parameters, an optimiser
/// that can step, and one of the engine's precisions.
void checkProblem(const TrainingProblem& problem, std::string_view engine,
                  std::span<const Precision> supported);

/// One finite learning rate an epoch; batch order empty or one index of a training row for each
/// row of each epoch.
void checkPlan(const TrainingPlan& plan, std::size_t epochs, std::size_t trainRows);

/// `parameters` has the problem's shape and every row is a training row.
void checkGradientArguments(const Parameters& parameters, std::span<const std::uint32_t> rows,
                            const TrainingProblem& problem);

/// Inputs of predict(): as many features as the network has inputs.
void checkInputs(const Eigen::MatrixXf& inputs, const NetworkShape& shape);

/// The state's arithmetic, sizes and loss scale are ones of an engine with this arithmetic for this
/// problem.
void checkState(const EngineState& state, std::string_view arithmetic,
                const TrainingProblem& problem);

} // namespace fullbatch
