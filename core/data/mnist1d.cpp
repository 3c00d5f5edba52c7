// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/mnist1d.h"

#include "core/data/numpy_random.h"
#include "core/data/sampled_curve.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

namespace fullbatch {

namespace {

constexpr std::size_t templatePoints = 12;
constexpr double noiseSigma = 2; // of the filter that correlates the noise, in points
constexpr double templateOffset = 1e-8; // tells a template's own zeros from those of the padding

using Template = std::array<double, templatePoints>;

constexpr std::array<Template, 10> digits = {{
    {5, 6, 6.5, 6.75, 7, 7, 7, 7, 6.75, 6.5, 6, 5},
    {5, 3, 3, 3.4, 3.8, 4.2, 4.6, 5, 5.4, 5.8, 5, 5},
    {5, 6, 6.5, 6.5, 6, 5.25, 4.75, 4, 3.5, 3.5, 4, 5},
    {5, 6, 6.5, 6.5, 6, 5, 5, 6, 6.5, 6.5, 6, 5},
    {5, 4.4, 3.8, 3.2, 2.6, 2.6, 5, 5, 5, 5, 5, 5},
    {5, 3, 3, 3, 3, 5, 6, 6.5, 6.5, 6, 4.5, 5},
    {5, 4, 3.5, 3.25, 3, 3, 3, 3, 3.25, 3.5, 4, 5},
    {5, 7, 7, 6.6, 6.2, 5.8, 5.4, 5, 4.6, 4.2, 5, 5},
    {5, 4, 3.5, 3.5, 4, 5, 5, 4, 3.5, 3.5, 4, 5},
    {5, 4, 3.5, 3.5, 4, 5, 5, 5, 5, 4.7, 4.3, 5},
}};

/// Zero mean, unit deviation, starting at 0, then divided by 6.
Template normalised(Template points)
{
    constexpr auto count = static_cast<double>(templatePoints);
    double mean = 0;
    for (const double point : points)
        mean += point;
    mean /= count;
    double variance = 0;
    for (const double point : points)
        variance += (point - mean) * (point - mean);
    const double deviation = std::sqrt(variance / count);
    for (double& point : points)
        point = (point - mean) / deviation;
    const double first = points.front();
    for (double& point : points)
        point = (point - first) / 6;
    return points;
}

/// The steps that turn a template into one example, in the order in which they draw.
class ExampleMaker
{
public:
    explicit ExampleMaker(const Mnist1dRecipe& recipe)
        : m_recipe(recipe),
          m_random(recipe.seed),
          m_points(templatePoints + static_cast<std::size_t>(recipe.maximumPadding))
    {
    }

    SampledCurve example(const Template& digit)
    {
        SampledCurve curve = resampled(padded(digit), m_points);
        const double amplitude = 1 + m_recipe.scale * (m_random.uniform() - 0.5);
        for (double& value : curve)
            value *= amplitude;
        translate(curve);
        addNoise(curve);
        shear(curve);
        return resampled(curve, static_cast<std::size_t>(m_recipe.length));
    }

    NumpyRandom& random() { return m_random; }

private:
    SampledCurve padded(const Template& digit)
    {
        const auto choices =
            static_cast<double>(m_recipe.maximumPadding - m_recipe.minimumPadding + 1);
        const auto padding = static_cast<std::size_t>(
            m_recipe.minimumPadding + static_cast<std::int64_t>(m_random.uniform() * choices));
        SampledCurve curve(templatePoints + padding, 0.0);
        std::transform(digit.begin(), digit.end(), curve.begin(),
                       [](double value) { return value + templateOffset; });
        return curve;
    }

    void translate(SampledCurve& curve)
    {
        if (m_recipe.maximumTranslation == 0)
            return;
        const std::uint64_t shift =
            m_random.integer(static_cast<std::uint64_t>(m_recipe.maximumTranslation - 1));
        std::rotate(curve.begin(), curve.end() - static_cast<std::ptrdiff_t>(shift), curve.end());
    }

    SampledCurve noise(double amplitude)
    {
        SampledCurve values(m_points);
        for (double& value : values)
            value = amplitude * m_random.normal();
        return values;
    }

    void addNoise(SampledCurve& curve)
    {
        const SampledCurve correlated =
            gaussianFiltered(noise(m_recipe.correlatedNoise), noiseSigma);
        const SampledCurve independent = noise(m_recipe.independentNoise);
        for (std::size_t point = 0; point < m_points; ++point) {
            if (curve[point] == 0)
                curve[point] = correlated[point];
            curve[point] += independent[point];
        }
    }

    void shear(SampledCurve& curve)
    {
        const double slope = m_recipe.shear * (m_random.uniform() - 0.5);
        const double step = 1.0 / static_cast<double>(m_points - 1);
        for (std::size_t point = 0; point < m_points; ++point)
            curve[point] -= slope * (-0.5 + static_cast<double>(point) * step);
    }

    const Mnist1dRecipe& m_recipe;
    NumpyRandom m_random;
    std::size_t m_points;
};

struct Scaling
{
    double mean = 0;
    double deviation = 0;
};

/// Mean and population standard deviation of everything. Sums a row at a time: short sums lose
/// less to rounding, and the order is the same on every machine.
Scaling overallScaling(const std::vector<double>& values, std::size_t length)
{
    const auto sumOf = [&](auto term) {
        double total = 0;
        for (std::size_t first = 0; first < values.size(); first += length) {
            double row = 0;
            for (std::size_t column = 0; column < length; ++column)
                row += term(values[first + column]);
            total += row;
        }
        return total;
    };
    const auto count = static_cast<double>(values.size());
    const double mean = sumOf([](double value) { return value; }) / count;
    const double squares = sumOf([mean](double value) { return (value - mean) * (value - mean); });
    return {mean, std::sqrt(squares / count)};
}

Split gather(const std::vector<double>& values, std::size_t length, const Scaling& scaling,
             std::span<const std::size_t> order)
{
    const std::size_t samplesPerClass = values.size() / length / digits.size();
    Split split;
    split.inputs.resize(static_cast<Eigen::Index>(length), static_cast<Eigen::Index>(order.size()));
    split.labels.reserve(order.size());
    float* input = split.inputs.data(); // a column, one example, after the other
    for (const std::size_t sample : order) {
        split.labels.push_back(static_cast<std::int32_t>(sample / samplesPerClass));
        for (std::size_t column = 0; column < length; ++column)
            *input++ = static_cast<float>((values[sample * length + column] - scaling.mean)
                                          / scaling.deviation);
    }
    return split;
}

} // namespace

Dataset generateMnist1d(const Mnist1dRecipe& recipe)
{
    if (const std::string reason = problem(recipe); !reason.empty())
        throw DataError(reason);

    const auto length = static_cast<std::size_t>(recipe.length);
    const auto samples = static_cast<std::size_t>(recipe.samples);
    ExampleMaker maker(recipe);
    std::vector<double> values; // samples x length, class by class
    values.reserve(samples * length);
    for (const Template& digit : digits) {
        const Template shape = normalised(digit);
        for (std::size_t sample = 0; sample < samples / digits.size(); ++sample) {
            const SampledCurve example = maker.example(shape);
            values.insert(values.end(), example.begin(), example.end());
        }
    }
    const Scaling scaling = overallScaling(values, length);
    // Digits are about 1 high, so that less than this is rounding alone.
    constexpr double leastDeviation = 1e-12;
    if (!(scaling.deviation > leastDeviation))
        throw DataError("The recipe gives the same value everywhere, which leaves nothing to learn;"
                        " raise the length, the scale or a noise.");

    const std::vector<std::size_t> order = maker.random().permutation(samples);
    const std::span<const std::size_t> all(order);
    const auto trainRows =
        static_cast<std::size_t>(static_cast<double>(samples) * recipe.trainFraction);
    Dataset dataset;
    dataset.source = description(recipe);
    dataset.classes = static_cast<std::int32_t>(digits.size());
    dataset.train = gather(values, length, scaling, all.first(trainRows));
    dataset.test = gather(values, length, scaling, all.subspan(trainRows));
    return dataset;
}

} // namespace fullbatch
