// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cublasLt.h>

namespace fullbatch::emulation::cublaslt {

/// Refuses a destroyed handle, and one that belongs to another device than the current one.
[[nodiscard]] cublasStatus_t checkHandle(cublasLtHandle_t handle);

} // namespace fullbatch::emulation::cublaslt
