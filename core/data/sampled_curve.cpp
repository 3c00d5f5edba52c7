// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/sampled_curve.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace fullbatch {

namespace {

std::vector<double> gaussianKernel(double sigma, std::ptrdiff_t radius)
{
    std::vector<double> kernel;
    double sum = 0;
    for (std::ptrdiff_t offset = -radius; offset <= radius; ++offset) {
        const auto distance = static_cast<double>(offset);
        kernel.push_back(std::exp(-0.5 / (sigma * sigma) * (distance * distance)));
        sum += kernel.back();
    }
    for (double& weight : kernel)
        weight /= sum;
    return kernel;
}

std::size_t mirrored(std::ptrdiff_t index, std::ptrdiff_t size)
{
    index %= 2 * size;
    if (index < 0)
        index += 2 * size;
    return static_cast<std::size_t>(index < size ? index : 2 * size - 1 - index);
}

} // namespace

SampledCurve resampled(const SampledCurve& curve, std::size_t points)
{
    assert(curve.size() >= 2);
    const auto end = static_cast<double>(curve.size() - 1);
    const double step = points > 1 ? end / static_cast<double>(points - 1) : 0.0;
    SampledCurve result(points);
    for (std::size_t point = 0; point < points; ++point) {
        const bool last = point > 0 && point + 1 == points;
        const double place = last ? end : static_cast<double>(point) * step;
        // The interval whose right end is the first sample not left of `place`.
        const auto right = std::max(static_cast<std::size_t>(std::ceil(place)), std::size_t{1});
        const double left = curve[right - 1];
        result[point] = (curve[right] - left) * (place - static_cast<double>(right - 1)) + left;
    }
    return result;
}

SampledCurve gaussianFiltered(const SampledCurve& curve, double sigma)
{
    const auto radius = std::ptrdiff_t{std::lround(4 * sigma)};
    const std::vector<double> kernel = gaussianKernel(sigma, radius);
    const auto size = static_cast<std::ptrdiff_t>(curve.size());
    SampledCurve result;
    result.reserve(curve.size());
    for (std::ptrdiff_t point = 0; point < size; ++point) {
        double sum = 0;
        for (std::ptrdiff_t offset = -radius; offset <= radius; ++offset)
            sum += kernel[static_cast<std::size_t>(offset + radius)]
                * curve[mirrored(point + offset, size)];
        result.push_back(sum);
    }
    return result;
}

} // namespace fullbatch
