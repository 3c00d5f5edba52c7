// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

#include <thread>

namespace fullbatch {

namespace {

constexpr std::size_t rows = 1003; // no multiple of a tile
constexpr double rate = 0.01;
constexpr double momentum = 0.9;

TrainingProblem problemFor(Precision precision)
{
    return randomProblem({40, 63, 63, 10}, rows, precision, {momentum});
}

/// Everything that an engine did, to be compared in every bit.
struct Trace
{
    std::vector<EpochMetrics> records;
    EngineState state;
    Parameters gradient;
    Evaluation test;
};

Trace trace(TrainingEngine& engine, const TrainingProblem& problem)
{
    Trace trace;
    trace.records = trainEpochs(engine, 20, rate);
    for (const EpochMetrics& record : trainMiniBatches(engine, 3, rate, rows, 100))
        trace.records.push_back(record);
    trace.state = engine.state();
    trace.gradient = engine.gradientAt(problem.initial, {});
    trace.test = engine.evaluate(SplitName::Test);
    return trace;
}

void compare(const Trace& a, const Trace& b, const std::string& place, Worst& worst)
{
    worst.add(
        static_cast<double>(differentBits(std::span<const EpochMetrics>(a.records), b.records)),
        place + ": records");
    worst.add(static_cast<double>(differentBits(a.state, b.state)), place + ": state");
    worst.add(static_cast<double>(differentBits(a.gradient.values(), b.gradient.values())),
              place + ": gradient");
    worst.add(a.test.loss == b.test.loss && a.test.wrongRows == b.test.wrongRows ? 0 : 1,
              place + ": test loss");
}

CheckResult sameBitsForAnyThreads(const EngineChoice& choice, Precision precision)
{
    TrainingProblem problem = problemFor(precision);
    problem.threads = 1;
    const Trace one = trace(*choice.create(problem), problem);
    Worst worst;
    for (const int threads : {1, 2, 3, 8, 0}) {
        problem.threads = threads;
        compare(trace(*choice.create(problem), problem), one, std::to_string(threads) + " threads",
                worst);
    }
    return worst.result(0);
}

CheckResult sameBitsSideBySide(const EngineChoice& choice, Precision precision)
{
    TrainingProblem problem = problemFor(precision);
    problem.threads = 2;
    const Trace alone = trace(*choice.create(problem), problem);
    Trace first;
    Trace second;
    std::thread other([&] { first = trace(*choice.create(problem), problem); });
    second = trace(*choice.create(problem), problem);
    other.join();
    Worst worst;
    compare(first, alone, "other thread", worst);
    compare(second, alone, "this thread", worst);
    return worst.result(0);
}

CheckResult sameBitsInAnyChunks(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = problemFor(precision);
    const std::unique_ptr<TrainingEngine> whole = choice.create(problem);
    const std::unique_ptr<TrainingEngine> parts = choice.create(problem);
    const std::vector<EpochMetrics> expected = trainEpochs(*whole, 100, rate);
    std::vector<EpochMetrics> records;
    records.reserve(100);
    for (int chunk = 0; chunk < 100; ++chunk)
        records.push_back(trainEpochs(*parts, 1, rate).at(0));
    Worst worst;
    worst.add(static_cast<double>(differentBits(std::span<const EpochMetrics>(records), expected)),
              "records");
    worst.add(static_cast<double>(differentBits(parts->state(), whole->state())), "state");
    worst.add(parts->state().epoch == 100 ? 0 : 1, "epoch");
    return worst.result(0);
}

CheckResult sameBitsWhenContinued(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = problemFor(precision);
    const std::unique_ptr<TrainingEngine> straight = choice.create(problem);
    trainEpochs(*straight, 10, rate);
    const EngineState middle = straight->state();
    const std::vector<EpochMetrics> expected = trainEpochs(*straight, 10, rate);

    const std::unique_ptr<TrainingEngine> continued = choice.create(problem);
    trainEpochs(*continued, 3, 0.05); // somewhere else first
    continued->restore(middle);
    Worst worst;
    worst.add(static_cast<double>(differentBits(continued->state(), middle)), "restored state");
    const std::vector<EpochMetrics> records = trainEpochs(*continued, 10, rate);
    worst.add(static_cast<double>(differentBits(std::span<const EpochMetrics>(records), expected)),
              "records");
    worst.add(static_cast<double>(differentBits(continued->state(), straight->state())), "state");
    worst.add(continued->state().velocity.size() == problem.initial.values().size() ? 0 : 1,
              "velocity");
    return worst.result(0);
}

/// The start parameters come back unchanged.
CheckResult startParametersKept(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = problemFor(precision);
    const Parameters start = choice.create(problem)->parameters();
    Worst worst;
    worst.add(static_cast<double>(differentBits(start.values(), problem.initial.values())),
              "parameters");
    worst.add(start.shape() == problem.initial.shape() ? 0 : 1, "shape");
    return worst.result(0);
}

} // namespace

std::vector<EngineCheck> repeatChecks()
{
    return {{"start parameters are kept", startParametersKept},
            {"same bits for 1, 2, 3, 8 threads", sameBitsForAnyThreads},
            {"same bits for two engines side by side", sameBitsSideBySide},
            {"same bits in one chunk of 100 and 100 of 1", sameBitsInAnyChunks},
            {"same bits when continued from a state", sameBitsWhenContinued}};
}

} // namespace fullbatch
