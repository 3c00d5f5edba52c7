// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/control.h"

#include <cublasLt.h>

#include <optional>

namespace fullbatch::emulation::cublaslt {

/// The calling thread's device, seen without an API call that a test would count.
struct UsedDevice
{
    int ordinal = 0;
    EmulatedDevice facts;
};
/// Nothing without a driver, without devices, and after an error that lasts.
[[nodiscard]] std::optional<UsedDevice> usedDevice();

/// Refuses a destroyed handle, and one that belongs to another device than the current one.
[[nodiscard]] cublasStatus_t checkHandle(cublasLtHandle_t handle);

} // namespace fullbatch::emulation::cublaslt
