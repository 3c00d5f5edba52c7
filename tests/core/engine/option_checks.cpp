// SPDX-License-Identifier: GPL-3.0-or-later
// What can be set beside the plain descent: activations, the optimiser's rules, batches, and pairs
// of them that meet in one epoch.
#include "core/engine/reference_engine.h"
#include "core/network/activation_names.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

namespace fullbatch {

namespace {

constexpr std::size_t rows = 257; // leaves a batch of 57 behind two of 100
constexpr double rate = 0.01;

/// What is set in one check.
struct Options
{
    Optimiser optimiser;
    LayerKind activation = LayerKind::Relu;
    std::size_t batchSize = 0;
    bool dropLast = false;
    std::size_t epochs = 5;
};

TrainingProblem problemWith(const Options& options, Precision precision)
{
    return randomProblem({40, 63, 33, 10}, rows, precision, options.optimiser, options.activation);
}

std::vector<EpochMetrics> trained(TrainingEngine& engine, const Options& options)
{
    return options.batchSize == 0 ? trainEpochs(engine, options.epochs, rate)
                                  : trainMiniBatches(engine, options.epochs, rate, rows,
                                                     options.batchSize, {}, options.dropLast);
}

/// The float64 reference on the same problem.
std::unique_ptr<TrainingEngine> refereeOf(TrainingProblem problem)
{
    problem.precision = Precision::Fp64;
    return makeReferenceEngine(problem);
}

CheckResult wayNearReference(const EngineChoice& choice, Precision precision,
                             const Options& options)
{
    const TrainingProblem problem = problemWith(options, precision);
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    const std::unique_ptr<TrainingEngine> reference = refereeOf(problem);
    const auto records = trained(*engine, options);
    const auto expected = trained(*reference, options);
    if (records.size() != options.epochs || expected.size() != options.epochs)
        return {false, 1, 0, "an epoch is missing"};
    Worst worst;
    for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
        const std::string place = "epoch " + std::to_string(epoch);
        worst.add(relativeDifference(records[epoch].loss, expected[epoch].loss), place + ", loss");
        worst.add(relativeDifference(records[epoch].gradientNorm, expected[epoch].gradientNorm),
                  place + ", gradient norm");
    }
    worst.add(normalisedDifference(engine->parameters().values(), reference->parameters().values()),
              "parameters");
    return worst.result(stepsBar(precision));
}

/// With mini-batches a record is what the epoch's last weights give over all rows.
CheckResult measuredAfterTheEpoch(const EngineChoice& choice, Precision precision)
{
    const Options options{{0.9}, LayerKind::Relu, 100, true};
    const TrainingProblem problem = problemWith(options, precision);
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    const std::vector<EpochMetrics> records = trained(*engine, options);
    const Evaluation now = engine->evaluate(SplitName::Train);
    Worst worst;
    worst.add(records.back().loss == now.loss ? 0 : 1, "loss");
    worst.add(records.back().wrongRows == now.wrongRows ? 0 : 1, "wrong rows");
    worst.add(records.front().loss == now.loss ? 1 : 0, "nothing was trained");
    return worst.result(0);
}

/// One row of several equal ones more or less must not show when the last batch is left out.
CheckResult droppedRowsAreNotUsed(const EngineChoice& choice, Precision precision)
{
    const Options options{{}, LayerKind::Relu, 100, true};
    TrainingProblem problem = problemWith(options, precision);
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    auto data = std::make_shared<Dataset>(*problem.data);
    const std::vector<std::uint32_t> order = shuffledOrder(rows, 1);
    data->train.inputs.col(order[200]).setConstant(1.5F);
    data->train.inputs.col(order[256]).setConstant(-1.5F);
    problem.data = data;
    const std::unique_ptr<TrainingEngine> other = choice.create(problem);
    (void)trainMiniBatches(*engine, 1, rate, rows, options.batchSize, {}, true);
    (void)trainMiniBatches(*other, 1, rate, rows, options.batchSize, {}, true);
    Worst worst;
    worst.add(static_cast<double>(
                  differentBits(engine->parameters().values(), other->parameters().values())),
              "parameters");
    return worst.result(0);
}

/// Threads, chunks and a continued state give the same bits, with everything set at once.
CheckResult sameBitsWithOptions(const EngineChoice& choice, Precision precision,
                                const Options& options)
{
    TrainingProblem problem = problemWith(options, precision);
    problem.threads = 1;
    const std::unique_ptr<TrainingEngine> straight = choice.create(problem);
    const std::vector<EpochMetrics> expected = trained(*straight, options);
    Worst worst;
    for (const int threads : {2, 3}) {
        problem.threads = threads;
        const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
        const std::vector<std::uint32_t> order = shuffledOrder(rows, options.epochs);
        std::vector<EpochMetrics> records(options.epochs);
        for (std::size_t epoch = 0; epoch < options.epochs; ++epoch) {
            const auto batchOrder = std::span(order).subspan(epoch * rows, rows);
            const TrainingPlan plan{std::span(&rate, 1), options.batchSize, batchOrder,
                                    options.dropLast};
            const std::unique_ptr<TrainingEngine> next = choice.create(problem);
            if (epoch == 2) { // goes on elsewhere
                next->restore(engine->state());
                engine->restore(next->state());
            }
            engine->train(plan, std::span(records).subspan(epoch, 1), {});
        }
        const std::string place = std::to_string(threads) + " threads: ";
        worst.add(
            static_cast<double>(differentBits(std::span<const EpochMetrics>(records), expected)),
            place + "records");
        worst.add(static_cast<double>(differentBits(engine->state(), straight->state())),
                  place + "state");
    }
    return worst.result(0);
}

EngineCheck way(const std::string& name, const Options& options)
{
    return {"way near reference, " + name,
            [options](const EngineChoice& choice, Precision precision) {
                return wayNearReference(choice, precision, options);
            }};
}

} // namespace

std::vector<EngineCheck> optionChecks(const EngineChoice& engine)
{
    std::vector<EngineCheck> checks;
    for (const auto& [activation, name] : activationNames) {
        if (!engine.offers(activation))
            continue;
        checks.push_back(way(std::string(name), {{}, activation, 0, false}));
        checks.push_back(
            way(std::string(name) + ", batches of 100", {{0.9}, activation, 100, false}));
    }
    const LayerKind curved = engine.offers(LayerKind::Gelu) ? LayerKind::Gelu : LayerKind::Relu;
    const Options everything{{0.9, true}, curved, 100, true};
    checks.push_back(way("Nesterov", {{0.9, true}, LayerKind::Relu, 0, false}));
    checks.push_back(way("Nesterov, batches of 100", {{0.9, true}, LayerKind::Relu, 100, false}));
    checks.push_back(way("last batch dropped", {{0.5}, LayerKind::Relu, 100, true}));
    // Rounding adds up over 257 steps an epoch, and the bar is that of tens.
    checks.push_back(way("batches of 1", {{}, LayerKind::Relu, 1, false, 1}));
    checks.push_back({"mini-batches are measured after the epoch", measuredAfterTheEpoch});
    checks.push_back({"a dropped batch is not used", droppedRowsAreNotUsed});
    checks.push_back({"same bits with options for 1, 2, 3 threads",
                      [everything](const EngineChoice& choice, Precision precision) {
                          return sameBitsWithOptions(choice, precision, everything);
                      }});
    return checks;
}

} // namespace fullbatch
