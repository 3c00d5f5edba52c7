// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

#include <chrono>
#include <thread>

namespace fullbatch {

namespace {

constexpr std::size_t rows = 4000;
constexpr std::size_t epochs = 100'000; // far more than are reached before the stop
constexpr double rate = 0.001;

using Train =
    std::function<std::vector<EpochMetrics>(TrainingEngine&, std::size_t, const std::stop_token&)>;

/// Stops from another thread, again and again at other moments, and compares with an engine that
/// trained the completed epochs undisturbed.
CheckResult stoppedEpochLeavesNoTrace(const EngineChoice& choice, Precision precision,
                                      const Train& train)
{
    const TrainingProblem problem = randomProblem({40, 63, 63, 10}, rows, precision, {0.9});
    Worst worst;
    for (const int milliseconds : {1, 7, 20, 33}) {
        const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
        std::stop_source stop;
        std::jthread stopper([&stop, milliseconds] {
            std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
            stop.request_stop();
        });
        const std::vector<EpochMetrics> records = train(*engine, epochs, stop.get_token());
        const std::unique_ptr<TrainingEngine> undisturbed = choice.create(problem);
        const std::vector<EpochMetrics> expected = train(*undisturbed, records.size(), {});
        const std::string place = "after " + std::to_string(milliseconds) + " ms and "
            + std::to_string(records.size()) + " epochs: ";
        worst.add(
            static_cast<double>(differentBits(std::span<const EpochMetrics>(records), expected)),
            place + "records");
        worst.add(static_cast<double>(differentBits(engine->state(), undisturbed->state())),
                  place + "state");
        worst.add(static_cast<double>(differentBits(engine->parameters().values(),
                                                    undisturbed->parameters().values())),
                  place + "parameters");
        worst.add(records.size() < epochs ? 0 : 1, place + "not stopped");
    }
    return worst.result(0);
}

CheckResult stopBeforeTheFirstEpoch(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = randomProblem({7, 13, 5, 3}, 31, precision, {0.9});
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    const EngineState before = engine->state();
    std::stop_source stop;
    stop.request_stop();
    const std::size_t completed = trainEpochs(*engine, 3, rate, stop.get_token()).size();
    Worst worst;
    worst.add(static_cast<double>(completed), "epochs completed");
    worst.add(static_cast<double>(differentBits(engine->state(), before)), "state");
    return worst.result(0);
}

} // namespace

std::vector<EngineCheck> stopChecks()
{
    const Train fullBatch = [](TrainingEngine& engine, std::size_t count,
                               const std::stop_token& stop) {
        return trainEpochs(engine, count, rate, stop);
    };
    const Train miniBatches = [](TrainingEngine& engine, std::size_t count,
                                 const std::stop_token& stop) {
        const std::size_t few = std::min<std::size_t>(count, 300); // an order of all would be large
        return trainMiniBatches(engine, few, rate, rows, 100, stop);
    };
    return {{"a stop before the first epoch changes nothing", stopBeforeTheFirstEpoch},
            {"a stopped epoch leaves no trace",
             [fullBatch](const EngineChoice& choice, Precision precision) {
                 return stoppedEpochLeavesNoTrace(choice, precision, fullBatch);
             }},
            {"a stopped epoch of mini-batches leaves no trace",
             [miniBatches](const EngineChoice& choice, Precision precision) {
                 return stoppedEpochLeavesNoTrace(choice, precision, miniBatches);
             }}};
}

} // namespace fullbatch
