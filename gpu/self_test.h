// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fullbatch {

/// What to do about a device that computes something else.
inline constexpr const char* selfTestRemedy = "Update the NVIDIA driver, or train on the CPU.";

/// Trains a tiny network on one device and compares with the float64 reference: empty when they
/// agree, else one sentence with what differs and the device's compute capability. Kernels that
/// never ran, or a library that computes something else, are found here and not in a flat curve.
/// Throws EngineError when a call fails.
[[nodiscard]] std::string selfTest(int ordinal);

/// The same, once a process and device; any thread. A device that passed is not tried again, nor
/// one that computed something else. Throws EngineError for both kinds of failure.
void ensureSelfTest(int ordinal);

} // namespace fullbatch
