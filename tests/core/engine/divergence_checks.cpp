// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

#include <algorithm>
#include <cmath>

namespace fullbatch {

namespace {

constexpr std::size_t rows = 257;
constexpr std::size_t epochs = 200;

std::size_t notFinite(std::span<const float> values)
{
    return static_cast<std::size_t>(std::count_if(
        values.begin(), values.end(), [](float value) { return !std::isfinite(value); }));
}

/// Trains at a rate that must diverge and checks the last record, the kept parameters (those of an
/// engine that stopped in time) and the untouched records behind.
void checkDivergence(const EngineChoice& choice, const TrainingProblem& problem, double rate,
                     std::size_t batchSize, Worst& worst)
{
    const std::string place =
        "rate " + std::to_string(rate) + ", batches of " + std::to_string(batchSize) + ": ";
    const std::vector<double> rates(epochs, rate);
    const std::vector<std::uint32_t> order = shuffledOrder(rows, epochs);
    std::vector<EpochMetrics> records(epochs);
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    const std::size_t completed = engine->train({rates, batchSize, order}, records, {});
    if (completed == 0 || completed == epochs) {
        worst.add(1, place + "does not diverge");
        return;
    }
    const Parameters kept = engine->parameters();
    worst.add(std::isfinite(records[completed - 1].loss) ? 1 : 0, place + "last loss is finite");
    worst.add(records[completed - 1].learningRate == rate ? 0 : 1,
              place + "last record not filled");
    worst.add(static_cast<double>(std::count_if(
                  records.begin(), records.begin() + static_cast<std::ptrdiff_t>(completed) - 1,
                  [](const EpochMetrics& record) { return !std::isfinite(record.loss); })),
              place + "earlier loss not finite");
    worst.add(static_cast<double>(notFinite(kept.values())), place + "parameters not finite");
    worst.add(records[completed].learningRate == 0 ? 0 : 1, place + "record behind touched");
    worst.add(engine->state().epoch == completed ? 0 : 1, place + "epoch");

    if (batchSize == rows) {
        const std::unique_ptr<TrainingEngine> inTime = choice.create(problem);
        std::vector<EpochMetrics> before(completed - 1);
        inTime->train({std::span(rates).first(completed - 1), batchSize,
                       std::span(order).first((completed - 1) * rows)},
                      before, {});
        worst.add(static_cast<double>(differentBits(kept.values(), inTime->parameters().values())),
                  place + "not the last finite parameters");
    }
    // Going on at a rate of 0 neither fails nor spoils what was kept.
    trainEpochs(*engine, 1, 0);
    worst.add(static_cast<double>(differentBits(kept.values(), engine->parameters().values())),
              place + "parameters after another epoch");
}

CheckResult divergingRunKeepsTheLastFinite(const EngineChoice& choice, Precision precision)
{
    Worst worst;
    for (const double momentum : {0.0, 0.9}) {
        const TrainingProblem problem =
            randomProblem({40, 63, 63, 10}, rows, precision, {momentum});
        // At 1e10 the loss overflows some steps later; at 1e42 the first step itself does.
        for (const double rate : {1e10, 1e42}) {
            for (const std::size_t batchSize : {rows, std::size_t{50}})
                checkDivergence(choice, problem, rate, batchSize, worst);
        }
    }
    return worst.result(0);
}

/// A loss that is not finite at once: the start parameters stay.
CheckResult hopelessStartIsKept(const EngineChoice& choice, Precision precision)
{
    TrainingProblem problem = randomProblem({7, 13, 5, 3}, 31, precision);
    for (float& value : problem.initial.values())
        value = 1e30F;
    auto data = std::make_shared<Dataset>(*problem.data);
    for (float& value : data->train.inputs.reshaped())
        value = 3e38F; // float32 products overflow, float64 ones do not
    problem.data = data;
    if (precision == Precision::Fp64)
        return {true, 0, 0, "float64 holds every product of float32 numbers"};
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    const std::vector<EpochMetrics> records = trainEpochs(*engine, 5, 0.01);
    Worst worst;
    worst.add(records.size() == 1 ? 0 : 1, "epochs");
    worst.add(!records.empty() && !std::isfinite(records[0].loss) ? 0 : 1, "loss");
    worst.add(
        static_cast<double>(differentBits(engine->parameters().values(), problem.initial.values())),
        "parameters");
    return worst.result(0);
}

} // namespace

std::vector<EngineCheck> divergenceChecks()
{
    return {{"a diverging run keeps the last finite parameters", divergingRunKeepsTheLastFinite},
            {"a hopeless start is kept", hopelessStartIsKept}};
}

} // namespace fullbatch
