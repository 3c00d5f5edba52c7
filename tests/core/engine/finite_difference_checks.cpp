// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

namespace fullbatch {

namespace {

/// The engine's gradient against central differences of its loss, taken at rows where no ReLU
/// changes sides within the step.
CheckResult gradientNearDifferences(const EngineChoice& choice, Precision precision,
                                    const std::vector<std::int64_t>& sizes)
{
    constexpr double step = 1e-5; // truncation and rounding both stay below 1e-9
    TrainingProblem problem = randomProblem(sizes, 60, precision);
    auto data = std::make_shared<Dataset>(*problem.data);
    const std::vector<std::uint32_t> rows = rowsAwayFromKinks(problem.initial, data->train, 1e-3);
    Split& split = data->train;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        split.inputs.col(static_cast<Eigen::Index>(i)) =
            problem.data->train.inputs.col(static_cast<Eigen::Index>(rows[i]));
        split.labels[i] = problem.data->train.labels[rows[i]];
    }
    split.inputs.conservativeResize(Eigen::NoChange, static_cast<Eigen::Index>(rows.size()));
    split.labels.resize(rows.size());
    problem.data = data;

    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    Parameters differences = problem.initial;
    EngineState state = engine->state();
    for (std::size_t i = 0; i < state.parameters.size(); ++i) {
        const auto lossAt = [&](double value) {
            EngineState moved = state;
            moved.parameters[i] = value;
            engine->restore(moved);
            return engine->evaluate(SplitName::Train).loss;
        };
        const double here = state.parameters[i];
        differences.values()[i] =
            static_cast<float>((lossAt(here + step) - lossAt(here - step)) / (2 * step));
    }
    const Parameters gradient = engine->gradientAt(problem.initial, {});
    Worst worst;
    worst.add(normalisedDifference(gradient.values(), differences.values()),
              problem.initial.shape().text() + ", " + std::to_string(rows.size()) + " rows");
    return worst.result(passBar(precision));
}

} // namespace

std::vector<EngineCheck> finiteDifferenceChecks()
{
    std::vector<EngineCheck> checks;
    const std::vector<std::vector<std::int64_t>> networks = {
        {1, 1, 1}, {2, 1, 2}, {7, 13, 5, 3}, {40, 10}, {3, 8, 4, 6, 5}};
    checks.reserve(networks.size() + 1);
    for (const std::vector<std::int64_t>& sizes : networks) {
        checks.push_back({"gradient near finite differences, " + shapeOf(sizes).text(),
                          [sizes](const EngineChoice& choice, Precision precision) {
                              return gradientNearDifferences(choice, precision, sizes);
                          }});
    }
    return checks;
}

} // namespace fullbatch
