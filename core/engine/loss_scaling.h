// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/loss_scale.h"
#include "core/engine/training_engine.h"

namespace fullbatch {

// How the loss scale of fp16 enters an engine. Other precisions have the scale 1, always.

[[nodiscard]] constexpr bool scalesLoss(Precision precision)
{
    return precision == Precision::Fp16;
}

[[nodiscard]] constexpr LossScale startingLossScale(Precision precision)
{
    return {scalesLoss(precision) ? initialLossScale : 1.0F};
}

/// How the mean over `rows` is divided between the deltas, which may be 16-bit numbers, and the
/// sums of their products, which are float32: delta = derivative * deltaShare * scale, gradient =
/// sum * gradientShare / scale. Only with a loss scale do the deltas get a part, a power of two, so
/// that they have about the size for which GradScaler's scale is meant; elsewhere small ones would
/// only lose digits.
struct MeanShares
{
    float delta = 1;
    float gradient = 1;
};
[[nodiscard]] MeanShares meanShares(Precision precision, std::size_t rows);

[[nodiscard]] LossScale lossScaleOf(const EngineState& state);
void setLossScale(EngineState& state, const LossScale& scale);

/// What an engine throws when gradients overflow at the smallest scale.
[[nodiscard]] EngineError lossScaleExhausted();

} // namespace fullbatch
