// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"

#include <cstddef>

namespace fullbatch {

// Makes float32 values into what a product reads in a reduced precision; see roundedFor(). The
// product itself is float32's: that of two such values is exact in it, so only sums are rounded, as
// on a tensor core with float32 sums. Not for fp32, whose values are as they should be.

/// to = rounded(factor * from), `count` values; both may be the same array.
void roundValues(Precision precision, float factor, const float* from, float* to,
                 std::size_t count);

} // namespace fullbatch
