// SPDX-License-Identifier: GPL-3.0-or-later
// However epochs are launched, the bits are the same: graphs or plain launches, one epoch or many
// at once, whole calls or pieces, with a state and another rate in between.
#include "core/network/activation_names.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/engine_checks.h"
#include "tests/core/engine/random_problem.h"
#include "tests/gpu/check_list.h"

#include <cuda_runtime_api.h>

#include <chrono>
#include <thread>
#include <tuple>

using namespace fullbatch;

namespace {

using Unrolled = LaunchOptions::Unrolled;

constexpr double rate = 0.01;
const std::vector<std::vector<std::int64_t>> networks = {
    {40, 100, 100, 10}, {40, 298, 10}, {40, 10}, {40, 63, 63, 63, 63, 10}};

GpuEngineOptions launched(bool graphs, Unrolled unrolled)
{
    GpuEngineOptions options;
    options.launches = {graphs, unrolled};
    return options;
}

/// Records and state of a run.
struct Run
{
    std::vector<EpochMetrics> records;
    EngineState state;
};

void compare(const Run& run, const Run& expected, const std::string& what, Findings& findings)
{
    findings.expect(run.records.size() == expected.records.size(), what + ": epochs");
    findings.expect(differentBits(std::span<const EpochMetrics>(run.records), expected.records)
                        == 0,
                    what + ": records");
    findings.expect(differentBits(run.state, expected.state) == 0, what + ": state");
}

/// Some epochs, then in a new engine with its state others with another rate.
Run runWithBreak(const TrainingProblem& problem, const GpuEngineOptions& options)
{
    Run run;
    std::unique_ptr<TrainingEngine> engine = gpuChoice(options).create(problem);
    run.records = trainEpochs(*engine, 70, rate);
    const EngineState middle = engine->state();
    engine = gpuChoice(options).create(problem);
    engine->restore(middle);
    for (const EpochMetrics& record : trainEpochs(*engine, 35, 2 * rate))
        run.records.push_back(record);
    run.state = engine->state();
    return run;
}

void graphsChangeNothing(Precision precision, Findings& findings)
{
    for (const auto& sizes : networks) {
        if (precision != Precision::Fp32 && sizes != networks.back())
            continue; // graphs know nothing of precisions but their kernels
        const TrainingProblem problem = randomProblem(sizes, 40, precision, {0.9});
        const std::string name = problem.initial.shape().text() + ", ";
        const Run plain = runWithBreak(problem, launched(false, Unrolled::Never));
        compare(runWithBreak(problem, launched(true, Unrolled::Never)), plain, name + "one by one",
                findings);
        compare(runWithBreak(problem, launched(true, Unrolled::Always)), plain, name + "unrolled",
                findings);
        findings.expect(plain.records.size() == 105, name + "epochs");
        findings.expect(plain.records.back().learningRate == 2 * rate, name + "rate");
    }
}

/// Divisions of an epoch into updates.
struct Division
{
    const char* name;
    std::size_t batchSize;
    bool shuffled;
    bool dropLast;
};

/// A call of some epochs, as many of its pieces as there are epochs, and a new engine in between.
Run runInBatches(const TrainingProblem& problem, const Division& division,
                 const GpuEngineOptions& options)
{
    constexpr std::size_t epochs = 5;
    const std::size_t rows = problem.data->train.rows();
    const std::vector<double> rates = {rate, 2 * rate, rate / 2, rate, rate};
    const std::vector<std::uint32_t> all =
        division.shuffled ? shuffledOrder(rows, epochs) : std::vector<std::uint32_t>();
    const std::span<const std::uint32_t> order = all;
    Run run;
    run.records.resize(epochs);
    std::unique_ptr<TrainingEngine> engine = gpuChoice(options).create(problem);
    const auto train = [&](std::size_t first, std::size_t count) {
        const TrainingPlan plan{std::span(rates).subspan(first, count), division.batchSize,
                                division.shuffled ? order.subspan(first * rows, count * rows)
                                                  : order,
                                division.dropLast};
        engine->train(plan, std::span(run.records).subspan(first, count), {});
    };
    train(0, 3);
    const EngineState middle = engine->state();
    engine = gpuChoice(options).create(problem);
    engine->restore(middle);
    for (std::size_t epoch = 3; epoch < epochs; ++epoch)
        train(epoch, 1);
    run.state = engine->state();
    return run;
}

void graphsOfBatchesChangeNothing(Precision precision, Findings& findings)
{
    constexpr std::size_t rows = 100;
    const TrainingProblem problem =
        randomProblem({7, 13, 13, 5, 3}, rows, precision, {0.9, true}, LayerKind::Gelu);
    std::vector<std::vector<double>> parameters;
    for (const Division& division : {Division{"batches of 30, ", 30, false, false},
                                     Division{"shuffled batches of 30, ", 30, true, false},
                                     Division{"without the last, ", 30, true, true},
                                     Division{"full batch, ", rows, false, false},
                                     Division{"full batch in an order, ", rows, true, false}}) {
        const Run plain = runInBatches(problem, division, launched(false, Unrolled::Never));
        compare(runInBatches(problem, division, launched(true, Unrolled::Always)), plain,
                division.name, findings);
        if (division.batchSize == rows)
            continue; // the order of a full batch changes nothing but the order of sums, if that
        // Another order of a full batch changes sums, and so at most their rounding.
        for (const std::vector<double>& other : parameters)
            findings.expect(division.batchSize == rows
                                || differentBits(plain.state.parameters, other) != 0,
                            division.name + std::string("as another division"));
        parameters.push_back(plain.state.parameters);
    }
}

/// Of a full batch too the rows are those that the order names.
void ordersOfFullBatchAreUsed(Findings& findings)
{
    TrainingProblem problem = randomProblem({7, 5, 3}, 40, Precision::Fp32);
    const std::vector<std::uint32_t> order(40, 3);
    EpochMetrics record;
    const auto engine = gpuChoice().create(problem);
    engine->train({std::span(&rate, 1), 0, order}, std::span(&record, 1), {});
    auto data = std::make_shared<Dataset>(*problem.data);
    data->train.labels.assign(40, problem.data->train.labels[3]);
    data->train.inputs.colwise() = problem.data->train.inputs.col(3).eval();
    problem.data = data;
    const auto other = gpuChoice().create(problem);
    const EpochMetrics expected = trainEpochs(*other, 1, rate).at(0);
    findings.expect(record.loss == expected.loss, "loss");
    findings.expect(differentBits(engine->state(), other->state()) == 0, "state");
}

/// The rate of every epoch is the plan's, with all of them in one call.
void ratesReachTheGraph(Findings& findings)
{
    const TrainingProblem problem = randomProblem({1, 2, 2}, 4, Precision::Fp32);
    std::vector<double> rates(4200); // more than the ring of rates
    for (std::size_t i = 0; i < rates.size(); ++i)
        rates[i] = 1e-4 * static_cast<double>(i % 97);
    const auto trained = [&](std::span<const double> some, bool graphs) {
        const auto engine = gpuChoice(launched(graphs, Unrolled::Always)).create(problem);
        Run run;
        run.records.resize(some.size());
        run.records.resize(engine->train({some, 0, {}}, run.records, {}));
        run.state = engine->state();
        return run;
    };
    const Run plain = trained(rates, false);
    compare(trained(rates, true), plain, "4,200 rates", findings);
    findings.expect(plain.records.size() == rates.size(), "4,200 epochs");
    const std::vector<double> first(40, 0.1);
    std::vector<double> changed = first;
    changed[35] = 0.2; // in the middle of what one launch could have captured
    findings.expect(differentBits(trained(first, true).state, trained(changed, true).state) != 0,
                    "a changed rate is not used");
}

/// One call of 100 epochs, of which 96 go in three launches, and 100 calls.
void piecesAreTheWhole(Precision precision, Findings& findings)
{
    const TrainingProblem problem = randomProblem({40, 63, 63, 10}, 100, precision, {0.9});
    const auto whole = gpuChoice(launched(true, Unrolled::Always)).create(problem);
    const auto pieces = gpuChoice(launched(true, Unrolled::Never)).create(problem);
    const Run expected = {trainEpochs(*whole, 100, rate), whole->state()};
    Run run;
    for (int i = 0; i < 100; ++i)
        run.records.push_back(trainEpochs(*pieces, 1, rate).at(0));
    run.state = pieces->state();
    compare(run, expected, "100 calls", findings);
}

void ownReluChangesNothing(Precision precision, Findings& findings)
{
    GpuEngineOptions own;
    own.ownRelu = true;
    const TrainingProblem problem = randomProblem({40, 63, 75, 10}, 100, precision);
    const auto first = gpuChoice(own).create(problem);
    const auto second = gpuChoice().create(problem);
    const Run run = {trainEpochs(*first, 10, rate), first->state()};
    compare(run, {trainEpochs(*second, 10, rate), second->state()}, "ReLU", findings);
}

/// Divergence in the middle of a launch of many epochs.
void divergenceWithinALaunch(Precision precision, Findings& findings)
{
    const EngineChoice choice = gpuChoice(launched(true, Unrolled::Always));
    for (const EngineCheck& check : divergenceChecks()) {
        const CheckResult result = check.run(choice, precision);
        findings.expect(result.passed, check.name + ": " + result.text);
    }
}

/// A stop between launches: whole launches count, and nothing else.
void stopBetweenLaunches(Findings& findings)
{
    const TrainingProblem problem = randomProblem({7, 13, 5, 3}, 31, Precision::Fp32, {0.9});
    const auto engine = gpuChoice(launched(true, Unrolled::Always)).create(problem);
    constexpr std::size_t many = 320'000;
    Run run;
    {
        std::stop_source stop;
        const std::jthread stopper([&stop] {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
            stop.request_stop();
        });
        run.records = trainEpochs(*engine, many, rate, stop.get_token());
    }
    run.state = engine->state();
    findings.expect(run.records.size() < many, "not stopped");
    findings.expect(run.records.size() % EpochGraphs::unrolledEpochs == 0, "half a launch");
    const auto undisturbed = gpuChoice(launched(true, Unrolled::Never)).create(problem);
    const Run expected = {trainEpochs(*undisturbed, run.records.size(), rate),
                          undisturbed->state()};
    compare(run, expected, std::to_string(run.records.size()) + " epochs", findings);
}

/// The kernels of the captured epoch lie between these numbers.
void expectNodes(const TrainingEngine& engine, std::size_t least, std::size_t most,
                 const std::string& name, Findings& findings)
{
    std::size_t nodes = 0;
    findings.expect(launchText(engine) == "CUDA graph", name + ": " + launchText(engine));
    findings.expect(epochGraph(engine) != nullptr
                        && cudaGraphGetNodes(epochGraph(engine), nullptr, &nodes) == cudaSuccess,
                    name + ": no graph");
    findings.expect(nodes >= least && nodes <= most,
                    name + ": " + std::to_string(nodes) + " nodes");
}

/// Kernels of an epoch, as PAPER_BUDGET.md says: at most, since a product may take two.
void nodesOfAnEpoch(Findings& findings)
{
    for (const auto& [sizes, kernels] :
         std::vector<std::pair<std::vector<std::int64_t>, std::size_t>>{
             {{40, 298, 10}, 8},
             {{40, 100, 100, 10}, 12},
             {{40, 75, 75, 75, 10}, 15},
             {{40, 63, 63, 63, 63, 10}, 18},
             {{40, 10}, 4}}) {
        const TrainingProblem problem = randomProblem(sizes, 100, Precision::Fp32);
        const auto engine = gpuChoice().create(problem);
        trainEpochs(*engine, 1, rate);
        const std::size_t hidden = sizes.size() - 2; // a kernel each where the ReLU is our own
        expectNodes(*engine, kernels, kernels + hidden, problem.initial.shape().text(), findings);
    }
}

/// Another activation than the ReLU is a kernel a hidden layer more, forward as backward.
void nodesOfActivations(Findings& findings)
{
    for (const auto& [activation, name] : activationNames) {
        if (activation == LayerKind::Relu)
            continue;
        const auto engine = gpuChoice().create(
            randomProblem({40, 63, 63, 10}, 100, Precision::Bf16, {0.9}, activation));
        trainEpochs(*engine, 1, rate);
        expectNodes(*engine, 14, 14, std::string(name), findings);
    }
}

/// 13 kernels a batch, 14 where the loss is scaled, and 5 to measure.
void nodesOfBatches(Findings& findings)
{
    constexpr std::size_t rows = 100;
    for (const auto& [precision, batchSize, dropLast, kernels] :
         std::vector<std::tuple<Precision, std::size_t, bool, std::size_t>>{
             {Precision::Fp32, 40, false, 3 * 13 + 5},
             {Precision::Fp32, 40, true, 2 * 13 + 5},
             {Precision::Fp16, 40, false, 3 * 14 + 5},
             {Precision::Fp32, rows, false, 13}}) {
        const TrainingProblem problem = randomProblem({40, 63, 63, 10}, rows, precision);
        const auto engine = gpuChoice().create(problem);
        trainMiniBatches(*engine, 1, rate, rows, batchSize, {}, dropLast);
        const std::size_t forwards = batchSize == rows ? 1 : (dropLast ? 2 : 3) + 1;
        expectNodes(*engine, kernels, kernels + 2 * forwards,
                    std::to_string(batchSize) + (dropLast ? " rows without the last" : " rows"),
                    findings);
    }
}

/// Kernels of more batches than a graph should have are launched plainly.
void manyBatchesWithoutAGraph(Findings& findings)
{
    constexpr std::size_t rows = EpochGraphs::maximumBatches + 1;
    const auto engine = gpuChoice().create(randomProblem({3, 2}, rows, Precision::Fp32));
    trainMiniBatches(*engine, 2, rate, rows, 1);
    findings.expect(launchText(*engine).find("257 batches") != std::string::npos,
                    launchText(*engine));
    findings.expect(epochGraph(*engine) == nullptr, "a graph of 257 batches");
    trainMiniBatches(*engine, 2, rate, rows, 1, {}, true);
    trainEpochs(*engine, 1, rate);
    findings.expect(epochGraph(*engine) != nullptr, "no graph of full batch afterwards");
}

} // namespace

int main(int argumentCount, char** arguments)
{
    std::vector<GpuCheck> checks;
    addInEveryPrecision(checks, "graphs, states and changed rates give the bits of plain launches",
                        graphsChangeNothing);
    addInEveryPrecision(checks, "graphs of batches give the bits of plain launches",
                        graphsOfBatchesChangeNothing);
    addInEveryPrecision(checks, "one chunk of 100 is 100 chunks of 1", piecesAreTheWhole);
    addInEveryPrecision(checks, "divergence in the middle of a launch", divergenceWithinALaunch);
    addInEveryPrecision(checks, "an own ReLU gives the bits of the products'",
                        ownReluChangesNothing);
    checks.push_back({"every rate of a long call is used", ratesReachTheGraph});
    checks.push_back({"a stop between launches", stopBetweenLaunches});
    checks.push_back({"kernels of an epoch", nodesOfAnEpoch});
    checks.push_back({"an order of full batch is used", ordersOfFullBatchAreUsed});
    checks.push_back({"kernels of an epoch with other activations", nodesOfActivations});
    checks.push_back({"kernels of an epoch of batches", nodesOfBatches});
    checks.push_back({"many batches without a graph", manyBatchesWithoutAGraph});
    return runGpuChecks(argumentCount, arguments, checks);
}
