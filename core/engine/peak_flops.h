// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fullbatch {

/// The machine's float32 peak as it is now, in GFLOP/s: independent multiply-adds in the widest
/// vectors the CPU engine uses, on `threads` threads at once (0: every usable core), the best of
/// several rounds of some milliseconds. Takes about 0.1 s. It is the measure for the share of the
/// peak that an engine reaches; measure it in the same run, since clocks vary.
[[nodiscard]] double measurePeakGflops(int threads);

} // namespace fullbatch
