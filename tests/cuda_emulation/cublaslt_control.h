// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fullbatch::emulation {

/// Why the last refused cublasLt call of this thread was refused, one sentence; empty when none was
/// refused yet. With the library's own CUBLASLT_LOG_MASK (bit 1: errors) in the environment the
/// sentences are also printed on standard error.
[[nodiscard]] std::string lastCublasLtRefusal();

/// What the ReLU epilogues make of NaN. No document says it, and kernels differ: fmaxf(NaN, 0) is
/// 0, a compare and select keeps NaN. So no program may rely on either; tests run with both.
enum class ReluOfNan { Zero, Nan };
/// For the products queued from now on, in every thread. Zero at the start.
void setReluOfNan(ReluOfNan value);

} // namespace fullbatch::emulation
