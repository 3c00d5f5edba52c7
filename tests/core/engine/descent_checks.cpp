// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reference_engine.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

namespace fullbatch {

namespace {

/// Steps of gradient descent with momentum, put together from the engine's own gradients:
/// velocity = momentum * velocity + gradient, parameters -= rate * velocity. What is compared is
/// the way gone, which is small beside the parameters.
CheckResult stepsFollowTheGradient(const EngineChoice& choice, Precision precision, double momentum)
{
    constexpr double rate = 0.125;
    const TrainingProblem problem = randomProblem({7, 13, 5, 3}, 31, precision, {momentum});
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    std::vector<double> velocity(problem.initial.values().size());
    std::vector<float> expected(velocity.size());
    std::vector<float> gone(velocity.size());
    for (int step = 0; step < 5; ++step) {
        const Parameters here = engine->parameters();
        const Parameters gradient = engine->gradientAt(here, {});
        trainEpochs(*engine, 1, rate);
        const Parameters there = engine->parameters();
        for (std::size_t i = 0; i < velocity.size(); ++i) {
            velocity[i] = momentum * velocity[i] + gradient.values()[i];
            expected[i] -= static_cast<float>(rate * velocity[i]);
            gone[i] += there.values()[i] - here.values()[i];
        }
    }
    Worst worst;
    worst.add(normalisedDifference(gone, expected), "5 steps of 7-13-5-3");
    return worst.result(stepsBar(precision));
}

/// The way gone in some epochs against the reference's. Few enough steps and kinks that rounding
/// does not yet grow.
CheckResult wayNearReference(const EngineChoice& choice, Precision precision, std::size_t batchSize,
                             double momentum)
{
    constexpr std::size_t rows = 257;
    constexpr std::size_t epochs = 5;
    TrainingProblem problem = randomProblem({40, 63, 63, 10}, rows, precision, {momentum});
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    problem.precision = Precision::Fp64;
    const std::unique_ptr<TrainingEngine> reference = makeReferenceEngine(problem);
    const auto records = trainMiniBatches(*engine, epochs, 0.01, rows, batchSize);
    const auto expected = trainMiniBatches(*reference, epochs, 0.01, rows, batchSize);
    Worst worst;
    if (records.size() != epochs || expected.size() != epochs)
        return {false, 1, 0, "an epoch is missing"};
    for (std::size_t epoch = 0; epoch < epochs; ++epoch) {
        const std::string place = "epoch " + std::to_string(epoch);
        worst.add(relativeDifference(records[epoch].loss, expected[epoch].loss), place + ", loss");
        worst.add(relativeDifference(records[epoch].gradientNorm, expected[epoch].gradientNorm),
                  place + ", gradient norm");
    }
    const Parameters end = engine->parameters();
    const Parameters expectedEnd = reference->parameters();
    worst.add(normalisedDifference(end.values(), expectedEnd.values()), "parameters");
    return worst.result(stepsBar(precision));
}

/// Every epoch has its own learning rate.
CheckResult ratesOfThePlan(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = randomProblem({7, 13, 5, 3}, 31, precision);
    const std::unique_ptr<TrainingEngine> once = choice.create(problem);
    const std::unique_ptr<TrainingEngine> apart = choice.create(problem);
    const std::vector<double> rates = {0.1, 0.003, 0.0, 0.05};
    std::vector<EpochMetrics> records(rates.size());
    once->train({rates, 0, {}}, records, {});
    std::vector<EpochMetrics> expected;
    expected.reserve(rates.size());
    for (const double rate : rates)
        expected.push_back(trainEpochs(*apart, 1, rate).at(0));
    Worst worst;
    worst.add(static_cast<double>(differentBits(std::span<const EpochMetrics>(records), expected)),
              "records");
    worst.add(static_cast<double>(differentBits(once->state(), apart->state())), "state");
    worst.add(records[2].predictionDigest == records[3].predictionDigest ? 0 : 1, "rate 0");
    return worst.result(0);
}

} // namespace

std::vector<EngineCheck> descentChecks()
{
    std::vector<EngineCheck> checks;
    for (const double momentum : {0.0, 0.9}) {
        const std::string with = momentum > 0 ? " with momentum" : "";
        checks.push_back({"steps follow the gradient" + with,
                          [momentum](const EngineChoice& choice, Precision precision) {
                              return stepsFollowTheGradient(choice, precision, momentum);
                          }});
        for (const std::size_t batchSize : {std::size_t{257}, std::size_t{100}, std::size_t{32}}) {
            checks.push_back(
                {"descent near reference, batches of " + std::to_string(batchSize) + with,
                 [batchSize, momentum](const EngineChoice& choice, Precision precision) {
                     return wayNearReference(choice, precision, batchSize, momentum);
                 }});
        }
    }
    checks.push_back({"each epoch has its own learning rate", ratesOfThePlan});
    return checks;
}

} // namespace fullbatch
