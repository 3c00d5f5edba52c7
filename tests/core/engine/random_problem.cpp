// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/random_problem.h"

#include "core/network/initialisation.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <random>

namespace fullbatch {

namespace {

/// Equal on every machine, unlike the standard library's distributions.
float uniform(std::mt19937& generator, float bound)
{
    const auto bits = static_cast<float>(generator() >> 8U); // 24 bits
    return (bits * 0x1p-23F - 1) * bound;
}

Split randomSplit(std::int64_t features, std::int64_t classes, std::size_t rows,
                  std::mt19937& generator)
{
    Split split;
    split.inputs.resize(features, static_cast<Eigen::Index>(rows));
    for (float& value : split.inputs.reshaped())
        value = uniform(generator, 1.7F);
    for (std::size_t row = 0; row < rows; ++row)
        split.labels.push_back(
            static_cast<std::int32_t>(generator() % static_cast<std::uint64_t>(classes)));
    return split;
}

} // namespace

NetworkShape shapeOf(const std::vector<std::int64_t>& sizes, LayerKind activation)
{
    return NetworkShape::mlp(sizes.front(), std::span(sizes).subspan(1, sizes.size() - 2),
                             sizes.back(), activation);
}

Parameters randomParameters(const NetworkShape& shape, std::uint64_t seed)
{
    Parameters parameters = initialParameters(shape, seed);
    std::mt19937 generator(static_cast<std::uint32_t>(seed));
    for (const TensorInfo& tensor : parameters.tensors()) {
        if (tensor.kind == TensorKind::Bias) {
            for (float& value : parameters.values().subspan(tensor.offset, tensor.size()))
                value = uniform(generator, 0.1F);
        }
    }
    return parameters;
}

std::shared_ptr<Dataset> randomDataset(std::int64_t features, std::int64_t classes,
                                       std::size_t rows, std::uint64_t seed)
{
    std::mt19937 generator(static_cast<std::uint32_t>(seed));
    auto data = std::make_shared<Dataset>();
    data->source = "random";
    data->classes = static_cast<std::int32_t>(classes);
    data->train = randomSplit(features, classes, rows, generator);
    data->test = randomSplit(features, classes, (rows + 3) / 4, generator);
    return data;
}

TrainingProblem randomProblem(const std::vector<std::int64_t>& sizes, std::size_t rows,
                              Precision precision, const Optimiser& optimiser, LayerKind activation)
{
    TrainingProblem problem;
    problem.data = randomDataset(sizes.front(), sizes.back(), rows, 2024);
    problem.initial = randomParameters(shapeOf(sizes, activation), 7);
    problem.optimiser = optimiser;
    problem.precision = precision;
    return problem;
}

std::vector<std::uint32_t> rowsAwayFromKinks(const Parameters& parameters, const Split& split,
                                             double margin)
{
    Eigen::MatrixXd values = split.inputs.cast<double>(); // outputs of the layer before x rows
    std::vector<bool> away(split.rows(), true);
    const std::span<const TensorInfo> tensors = parameters.tensors();
    for (std::size_t i = 0; i + 2 < tensors.size(); i += 2) {
        values = (parameters.view(tensors[i]).cast<double>() * values).eval();
        values.colwise() += parameters.view(tensors[i + 1]).cast<double>().col(0);
        const double scale = std::sqrt(values.array().square().mean());
        for (std::size_t row = 0; row < split.rows(); ++row) {
            const auto column = values.col(static_cast<Eigen::Index>(row));
            away[row] = away[row] && column.cwiseAbs().minCoeff() >= margin * scale;
        }
        values = values.cwiseMax(0.0).eval();
    }
    std::vector<std::uint32_t> rows;
    for (std::size_t row = 0; row < split.rows(); ++row) {
        if (away[row])
            rows.push_back(static_cast<std::uint32_t>(row));
    }
    return rows;
}

std::vector<std::uint32_t> shuffledOrder(std::size_t rows, std::size_t epochs)
{
    std::mt19937 generator(5);
    std::vector<std::uint32_t> order;
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        const std::size_t begin = order.size();
        for (std::size_t row = 0; row < rows; ++row)
            order.push_back(static_cast<std::uint32_t>(row));
        for (std::size_t left = rows; left > 1; --left) // Fisher and Yates
            std::swap(order[begin + left - 1], order[begin + generator() % left]);
    }
    return order;
}

std::vector<EpochMetrics> trainEpochs(TrainingEngine& engine, std::size_t epochs, double rate,
                                      const std::stop_token& stop)
{
    const std::vector<double> rates(epochs, rate);
    std::vector<EpochMetrics> records(epochs);
    records.resize(engine.train({rates, 0, {}}, records, stop));
    return records;
}

std::vector<EpochMetrics> trainMiniBatches(TrainingEngine& engine, std::size_t epochs, double rate,
                                           std::size_t rows, std::size_t batchSize,
                                           const std::stop_token& stop, bool dropLast)
{
    const std::vector<double> rates(epochs, rate);
    const std::vector<std::uint32_t> order = shuffledOrder(rows, epochs);
    std::vector<EpochMetrics> records(epochs);
    records.resize(engine.train({rates, batchSize, order, dropLast}, records, stop));
    return records;
}

} // namespace fullbatch
