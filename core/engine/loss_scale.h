// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace fullbatch {

inline constexpr float initialLossScale = 65536;
inline constexpr float smallestLossScale = 1.0F / 16384;
inline constexpr float largestLossScale = 0x1p60F; ///< far from where its inverse would vanish
inline constexpr unsigned long long stepsToGrow = 2000;

/// Loss scaling for fp16, as PyTorch's GradScaler does it (P. Micikevicius et al., "Mixed precision
/// training", 2018): the derivatives are kept `scale` times as large, so that small ones do not
/// vanish. Twice the scale after so many steps in a row, half of it and no step where the gradient
/// overflowed. Plain values, for kernels too.
struct LossScale
{
    float scale = 1;
    std::uint64_t cleanSteps = 0; ///< since it last changed
    std::uint64_t skippedSteps = 0;
    bool exhausted = false; ///< gradients overflow at the smallest scale; no step any more

    /// Half the scale; false, and the same scale, where it is the smallest.
    constexpr bool halve()
    {
        if (!(scale > smallestLossScale))
            return false;
        scale /= 2;
        return true;
    }

    /// Whether the step along a gradient may be taken; `finite`: every number of the gradient.
    constexpr bool takesStep(bool finite)
    {
        if (!finite) {
            cleanSteps = 0;
            ++skippedSteps;
            exhausted = !halve();
            return false;
        }
        if (++cleanSteps >= stepsToGrow) { // a restored state may be beyond
            cleanSteps = 0;
            scale = scale < largestLossScale / 2 ? 2 * scale : largestLossScale;
        }
        return true;
    }
};

} // namespace fullbatch
