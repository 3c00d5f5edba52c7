// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/self_test.h"

#include "core/engine/reference_engine.h"
#include "core/network/initialisation.h"
#include "gpu/cuda_error.h"
#include "gpu/device_problem.h"
#include "gpu/gpu_engine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <mutex>

namespace fullbatch {

namespace {

// Some ten times the rounding of float32 over these few rows, far below anything that is wrong.
constexpr double tolerance = 1e-5;
constexpr std::size_t epochs = 3;
constexpr double rate = 0.1;

/// What differs between the two trainings, so that every kernel and every kind of product runs.
struct Choices
{
    LayerKind activation = LayerKind::Relu;
    std::size_t batchSize = 0;
    bool nesterov = false;
};
constexpr std::array<Choices, 2> tried = {
    {{LayerKind::Relu, 0, false}, {LayerKind::Gelu, 16, true}}};

/// 5 inputs, hidden layers of 7 and 6, 3 classes, 40 rows of fixed numbers.
TrainingProblem tinyProblem(const Choices& choices)
{
    constexpr Eigen::Index rows = 40;
    auto data = std::make_shared<Dataset>();
    data->source = "self-test";
    data->classes = 3;
    data->train.inputs.resize(5, rows);
    for (Eigen::Index row = 0; row < rows; ++row) {
        for (Eigen::Index i = 0; i < 5; ++i)
            data->train.inputs(i, row) = static_cast<float>((row * 7 + i * 11) % 13 - 6) / 4;
        data->train.labels.push_back(static_cast<std::int32_t>(row * 5 % 7 % 3));
    }
    const std::array<std::int64_t, 2> hidden = {7, 6};
    TrainingProblem problem;
    problem.data = data;
    problem.initial = initialParameters(NetworkShape::mlp(5, hidden, 3, choices.activation), 1);
    problem.optimiser = {0.5, choices.nesterov};
    return problem;
}

/// What one engine makes of it.
struct Outcome
{
    std::array<EpochMetrics, epochs> records;
    std::vector<float> gradient;
    std::vector<float> parameters;
};

Outcome outcomeOf(TrainingEngine& engine, const TrainingProblem& problem, std::size_t batchSize)
{
    Outcome outcome;
    const auto values = [](const Parameters& parameters) {
        return std::vector<float>(parameters.values().begin(), parameters.values().end());
    };
    outcome.gradient = values(engine.gradientAt(problem.initial, {}));
    std::array<double, epochs> rates{};
    rates.fill(rate);
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) // momentum goes from call to call
        engine.train({std::span(rates).subspan(epoch, 1), batchSize, {}},
                     std::span(outcome.records).subspan(epoch, 1), {});
    outcome.parameters = values(engine.parameters());
    return outcome;
}

double distance(const std::vector<float>& values, const std::vector<float>& expected)
{
    double squares = 0;
    double expectedSquares = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double value = expected[i];
        squares += (values[i] - value) * (values[i] - value);
        expectedSquares += value * value;
    }
    return std::sqrt(squares / expectedSquares);
}

std::string number(double value)
{
    std::array<char, 32> text{};
    (void)std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

/// The largest relative difference from the float64 reference; NaN when there is one.
double worstDifference(const EngineMaker& make, const Choices& choices)
{
    TrainingProblem problem = tinyProblem(choices);
    const Outcome outcome = outcomeOf(*make(problem), problem, choices.batchSize);
    problem.precision = Precision::Fp64;
    const Outcome expected = outcomeOf(*makeReferenceEngine(problem), problem, choices.batchSize);

    double worst = distance(outcome.gradient, expected.gradient);
    worst = std::max(worst, distance(outcome.parameters, expected.parameters));
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        const double loss = outcome.records[epoch].loss;
        const double difference = std::abs(loss / expected.records[epoch].loss - 1);
        // max() would lose a NaN.
        worst = difference <= worst ? worst : difference;
    }
    return worst;
}

std::mutex mutex;
std::map<int, std::string>& outcomes()
{
    static std::map<int, std::string> results; // by device
    return results;
}

} // namespace

std::string selfTest(const EngineMaker& make, const std::string& device)
{
    for (const Choices& choices : tried) {
        const double worst = worstDifference(make, choices);
        if (!(worst <= tolerance)) {
            return "The self-test failed on " + device + ": a known small training comes out "
                + number(worst) + " away from the right numbers, where " + number(tolerance)
                + " is allowed.";
        }
    }
    return {};
}

std::string selfTest(int ordinal)
{
    const DeviceFacts device = deviceFacts(ordinal);
    return selfTest(
        [ordinal](const TrainingProblem& problem) { return makeGpuEngine(ordinal, problem); },
        device.name + " (compute capability " + std::to_string(device.computeMajor) + "."
            + std::to_string(device.computeMinor) + ")");
}

void ensureSelfTest(int ordinal)
{
    const std::lock_guard lock(mutex); // a second engine waits for the first one's test
    const auto known = outcomes().find(ordinal);
    const std::string text = known != outcomes().end() ? known->second : selfTest(ordinal);
    outcomes()[ordinal] = text;
    if (!text.empty())
        throw GpuFailure(text, selfTestRemedy);
}

} // namespace fullbatch
