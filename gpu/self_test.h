// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"

#include <functional>
#include <memory>
#include <string>

namespace fullbatch {

/// What to do about a device that computes something else.
inline constexpr const char* selfTestRemedy = "Update the NVIDIA driver, or train on the CPU.";

using EngineMaker = std::function<std::unique_ptr<TrainingEngine>(const TrainingProblem&)>;

/// Trains tiny networks on the engine and compares with the float64 reference: empty when they
/// agree, else one sentence about `device`. Kernels that never ran, or a library that computes
/// something else, are found here and not in a flat curve. Throws what the engine throws.
[[nodiscard]] std::string selfTest(const EngineMaker& make, const std::string& device);
/// The same of the GPU engine on one device; the sentence names its compute capability.
[[nodiscard]] std::string selfTest(int ordinal);

/// The same, once a process and device; any thread. A device that passed is not tried again, nor
/// one that computed something else. Throws EngineError for both kinds of failure.
void ensureSelfTest(int ordinal);

} // namespace fullbatch
