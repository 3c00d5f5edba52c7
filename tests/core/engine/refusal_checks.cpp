// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/activation_names.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fullbatch {

namespace {

/// Calls `action` and adds whether it was refused in one sentence.
void mustRefuse(const std::string& what, Worst& worst, const std::function<void()>& action)
{
    try {
        action();
        worst.add(1, what + " is accepted");
    } catch (const std::invalid_argument& error) {
        const std::string text = error.what();
        const bool sentence =
            text.size() > 20 && text.back() == '.' && text.find('\n') == text.npos;
        worst.add(sentence ? 0 : 1, what + " is refused without a sentence");
    }
}

TrainingProblem soundProblem(Precision precision)
{
    return randomProblem({7, 13, 5, 3}, 31, precision, {0.5});
}

CheckResult badProblemsAreRefused(const EngineChoice& choice, Precision precision)
{
    Worst worst;
    const auto refuse = [&](const std::string& what, const auto& spoil) {
        TrainingProblem problem = soundProblem(precision);
        auto data = std::make_shared<Dataset>(*problem.data);
        spoil(problem, *data);
        if (problem.data)
            problem.data = data;
        mustRefuse(what, worst, [&] { (void)choice.create(problem); });
    };
    refuse("label -1", [](TrainingProblem&, Dataset& data) { data.train.labels[7] = -1; });
    refuse("label 3 of 3", [](TrainingProblem&, Dataset& data) { data.train.labels[30] = 3; });
    refuse("test label 3 of 3", [](TrainingProblem&, Dataset& data) { data.test.labels[0] = 3; });
    refuse("a missing label",
           [](TrainingProblem&, Dataset& data) { data.train.labels.pop_back(); });
    refuse("8 features", [](TrainingProblem&, Dataset& data) { data.train.inputs.setZero(8, 31); });
    refuse("6 test features",
           [](TrainingProblem&, Dataset& data) { data.test.inputs.setZero(6, 8); });
    refuse("4 classes", [](TrainingProblem&, Dataset& data) { data.classes = 4; });
    refuse("no rows", [](TrainingProblem&, Dataset& data) { data.train = {}; });
    refuse("no data", [](TrainingProblem& problem, Dataset&) { problem.data = nullptr; });
    refuse("no parameters", [](TrainingProblem& problem, Dataset&) { problem.initial = {}; });
    refuse("a NaN to start from", [](TrainingProblem& problem, Dataset&) {
        problem.initial.values()[3] = std::numeric_limits<float>::quiet_NaN();
    });
    refuse("momentum 1",
           [](TrainingProblem& problem, Dataset&) { problem.optimiser.momentum = 1; });
    refuse("momentum -0.1",
           [](TrainingProblem& problem, Dataset&) { problem.optimiser.momentum = -0.1; });
    refuse("momentum NaN",
           [](TrainingProblem& problem, Dataset&) { problem.optimiser.momentum = std::nan(""); });
    refuse("Nesterov without momentum", [](TrainingProblem& problem, Dataset&) {
        problem.optimiser = {0, true};
    });
    refuse("-1 threads", [](TrainingProblem& problem, Dataset&) { problem.threads = -1; });
    for (const Precision each :
         {Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16, Precision::Fp64}) {
        const std::vector<Precision>& known = choice.precisions;
        if (std::find(known.begin(), known.end(), each) == known.end()) {
            refuse("a precision that the choice does not list",
                   [each](TrainingProblem& problem, Dataset&) { problem.precision = each; });
        }
    }
    for (const auto& [activation, name] : activationNames) {
        if (!choice.offers(activation))
            refuse("an activation that the choice does not list",
                   [kind = activation](TrainingProblem& problem, Dataset&) {
                       problem.initial =
                           randomProblem({7, 13, 5, 3}, 31, problem.precision, {}, kind).initial;
                   });
    }
    return worst.result(0);
}

CheckResult badCallsAreRefused(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = soundProblem(precision);
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    const EngineState before = engine->state();
    std::vector<EpochMetrics> records(2);
    const std::vector<double> rates(2, 0.01);
    std::vector<std::uint32_t> order = shuffledOrder(31, 2);
    Worst worst;
    mustRefuse("one rate for two epochs", worst, [&] {
        engine->train({std::span(rates).first(1), 0, {}}, records, {});
    });
    mustRefuse("an infinite rate", worst, [&] {
        const std::vector<double> infinite(2, std::numeric_limits<double>::infinity());
        engine->train({infinite, 0, {}}, records, {});
    });
    mustRefuse("an order of one epoch for two", worst, [&] {
        engine->train({rates, 4, std::span(order).first(31)}, records, {});
    });
    order[40] = 31;
    mustRefuse("row 31 of 31 in the order", worst, [&] {
        engine->train({rates, 4, order}, records, {});
    });
    mustRefuse("gradient at another shape", worst, [&] {
        (void)engine->gradientAt(Parameters(shapeOf({7, 13, 4, 3})), {});
    });
    mustRefuse("gradient of row 31 of 31", worst, [&] {
        const std::vector<std::uint32_t> rows = {0, 31};
        (void)engine->gradientAt(problem.initial, rows);
    });
    mustRefuse("inputs of 6 features", worst,
               [&] { (void)engine->predict(Eigen::MatrixXf::Zero(6, 4)); });
    const auto restoreSpoilt = [&](const std::string& what, const auto& spoil) {
        EngineState state = before;
        spoil(state);
        mustRefuse(what, worst, [&] { engine->restore(state); });
    };
    restoreSpoilt("another arithmetic", [](EngineState& state) { state.arithmetic += " other"; });
    restoreSpoilt("too few parameters", [](EngineState& state) { state.parameters.pop_back(); });
    restoreSpoilt("no velocity", [](EngineState& state) { state.velocity.clear(); });
    worst.add(static_cast<double>(differentBits(engine->state(), before)), "state after refusals");
    return worst.result(0);
}

} // namespace

std::vector<EngineCheck> refusalChecks()
{
    return {{"bad problems are refused", badProblemsAreRefused},
            {"bad calls are refused and change nothing", badCallsAreRefused}};
}

} // namespace fullbatch
