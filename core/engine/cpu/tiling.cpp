// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/tiling.h"

namespace fullbatch {

namespace {

// The kernels take 6, 8 or 12 columns at a time, so a multiple of 24 leaves no narrow rest. Long
// tiles keep sums in registers for longer; what limits them is the second-level cache.
constexpr std::size_t step = 24;
constexpr std::size_t mostRows = 96;
constexpr std::size_t tileFloats = 1024 * 1024 / sizeof(float);

// Enough for every thread to have work, few enough that adding them up costs little.
constexpr std::size_t mostGroups = 16;
constexpr std::size_t partialFloats = 64 * 1024 * 1024 / sizeof(float);

} // namespace

Tiling::Tiling(const NetworkShape& shape)
{
    std::size_t outputs = 0; // of one row; each has its gradient beside it
    for (const Layer& layer : shape.denseLayers())
        outputs += static_cast<std::size_t>(layer.outputs);
    const std::size_t rows = tileFloats / 2 / std::max<std::size_t>(outputs, 1);
    m_tileRows = std::clamp(rows / step * step, step, mostRows);
    m_maximumGroups = std::clamp<std::size_t>(
        partialFloats / static_cast<std::size_t>(shape.parameterCount()), 1, mostGroups);
}

} // namespace fullbatch
