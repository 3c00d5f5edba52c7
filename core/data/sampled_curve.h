// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace fullbatch {

/// Values of a curve at evenly spaced points.
using SampledCurve = std::vector<double>;

/// The curve at `points` evenly spaced places, both ends included, by linear interpolation. At
/// least one point; one point gives the first value. `curve` must have at least two.
[[nodiscard]] SampledCurve resampled(const SampledCurve& curve, std::size_t points);

/// Convolution with a normalised Gaussian, cut off at four times sigma (rounded). Beyond its ends
/// the curve is mirrored about the edge: d c b a | a b c d | d c b a.
[[nodiscard]] SampledCurve gaussianFiltered(const SampledCurve& curve, double sigma);

} // namespace fullbatch
