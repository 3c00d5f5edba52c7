// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>

namespace fullbatch {

/// The sizes of one dense layer's work on one tile.
struct TileSizes
{
    std::ptrdiff_t inputs = 0;
    std::ptrdiff_t outputs = 0;
    std::ptrdiff_t rows = 0; ///< samples of the tile
};

// The three matrix products of a dense layer on one tile: where an epoch's time goes. Matrices of
// samples are stored sample after sample (features x rows, column-major); a weight is stored as in
// Parameters (outputs x inputs, row-major). Nothing is allocated; no pointer overlaps another. A
// sample's outputs do not depend on the other samples of the tile.

/// outputs = weight * inputs + bias
void denseForward(const TileSizes& sizes, const float* weight, const float* bias,
                  const float* inputs, float* outputs);

/// inputDelta = weight^T * outputDelta
void denseInputDelta(const TileSizes& sizes, const float* weight, const float* outputDelta,
                     float* inputDelta);

/// weightGradient += outputDelta * inputs^T, biasGradient += sum of outputDelta over the samples
void denseGradient(const TileSizes& sizes, const float* outputDelta, const float* inputs,
                   float* weightGradient, float* biasGradient);

/// What fixes the products' rounding, as part of EngineState::arithmetic.
[[nodiscard]] std::string_view tileProductsName();

} // namespace fullbatch
