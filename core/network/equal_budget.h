// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fullbatch {

/// The common width of `depth` hidden layers whose network (inputs - width x depth - outputs) has
/// the parameter count nearest to `budget`; the smaller width on a tie, never below 1. With 40
/// inputs, 10 outputs and a budget of 15,208: 298, 100, 75, 63 for depths 1, 2, 3, 4.
/// depth must be at least 1 (std::invalid_argument).
[[nodiscard]] std::int64_t equalBudgetWidth(std::int64_t inputs, std::int64_t outputs,
                                            std::int64_t depth, std::int64_t budget);

} // namespace fullbatch
