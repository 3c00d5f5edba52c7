// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loss_scaling.h"

#include <bit>

namespace fullbatch {

MeanShares meanShares(Precision precision, std::size_t rows)
{
    const auto count = static_cast<double>(rows);
    if (!scalesLoss(precision))
        return {1, static_cast<float>(1 / count)};
    const auto power = static_cast<double>(std::bit_ceil(rows));
    return {static_cast<float>(1 / power), static_cast<float>(power / count)};
}

LossScale lossScaleOf(const EngineState& state)
{
    return {static_cast<float>(state.lossScale), state.cleanSteps, state.skippedSteps};
}

void setLossScale(EngineState& state, const LossScale& scale)
{
    state.lossScale = scale.scale;
    state.cleanSteps = scale.cleanSteps;
    state.skippedSteps = scale.skippedSteps;
}

EngineError lossScaleExhausted()
{
    return EngineError("The gradients overflow in fp16 at every loss scale down to 2^-14, so no "
                       "step can be taken. Train in bf16 or fp32, or with a lower learning rate.");
}

} // namespace fullbatch
