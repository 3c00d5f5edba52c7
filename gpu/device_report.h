// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/plugin.h"

namespace fullbatch {

/// The oldest device that the engine's products and kernels are built for.
inline constexpr int oldestComputeMajor = 7;
inline constexpr int oldestComputeMinor = 5;

/// Looks for devices step by step: driver, its version, devices, and for each device its age, its
/// memory and the self-test. What fails is said in one sentence with a remedy. Does not throw.
/// May hang or crash where a driver is broken: call it in a child process.
[[nodiscard]] GpuReport reportDevices();

} // namespace fullbatch
