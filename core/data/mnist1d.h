// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"

namespace fullbatch {

/// The parameters of the MNIST-1D generator (S. Greydanus, "Scaling down deep learning"). The
/// defaults give the published file: equal labels, inputs equal once rounded to float32.
struct Mnist1dRecipe
{
    std::int64_t samples = 5000; ///< of all classes together, a multiple of 10
    double trainFraction = 0.8; ///< of the samples, the first ones after the permutation
    std::int64_t minimumPadding = 36;
    std::int64_t maximumPadding = 60;
    double scale = 0.4; ///< range of the amplitude: 1 + scale * (u - 1/2)
    std::int64_t maximumTranslation = 48; ///< points; moved by 0 .. this - 1; 0 or 1: never moved
    double correlatedNoise = 0.25; ///< amplitude of the smoothed noise around the digit
    double independentNoise = 0.02;
    double shear = 0.75;
    std::int64_t length = 40; ///< values of one example
    std::uint32_t seed = 42; ///< of NumPy's legacy stream

    friend bool operator==(const Mnist1dRecipe&, const Mnist1dRecipe&) = default;
};

/// Why the recipe cannot be followed, one sentence with what is allowed; empty when it can.
[[nodiscard]] std::string problem(const Mnist1dRecipe& recipe);

/// "MNIST-1D, generated, seed 42", then what differs from the defaults; Dataset::source says it.
[[nodiscard]] std::string description(const Mnist1dRecipe& recipe);

/// Generates the data set. Pure: the same recipe gives the same bits. Throws DataError with
/// problem(recipe) when there is one.
[[nodiscard]] Dataset generateMnist1d(const Mnist1dRecipe& recipe = {});

} // namespace fullbatch
