// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/run_spec.h"

#include <span>
#include <string>
#include <vector>

namespace fullbatch {

/// What the runs of one chart are called, one name a run, all different: "4 x 63",
/// "4 x 63, rate 0.01", "baseline (2 x 100)".
///
/// Depth and width always stand there, and a precision below fp32. A run's own name stands before
/// them when no other run has it. What changes an experiment (data, rate, momentum, ...) is named
/// on every unnamed run as soon as two runs of the chart differ in it; what merely repeats one
/// (seed, engine, length) only where runs would be called the same. Runs alike in everything are
/// numbered.
[[nodiscard]] std::vector<std::string> runNames(std::span<const RunSpec> runs);

} // namespace fullbatch
