// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/training_run.h"

#include "app/terminal/interruption.h"
#include "app/terminal/progress_line.h"

#include <chrono>
#include <future>
#include <new>

namespace fullbatch {

namespace {

using namespace std::chrono_literals;

// The worker's side. Nothing leaves it but by the outcome: the engine is made, used and destroyed
// in the thread that calls this.
TrainingOutcome train(const EngineChoice& choice, const RunSpec& spec,
                      const TrainingProblem& problem, const std::shared_ptr<MetricsLog>& log,
                      TrainingControl& control)
{
    TrainingOutcome outcome;
    outcome.log = log;
    try {
        const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
        outcome.end = trainToTheEnd(*engine, spec, *log, control);
    } catch (const std::bad_alloc&) {
        outcome.end.failure = "There is not enough memory for this network.";
    } catch (const std::exception& error) {
        outcome.end.failure = error.what();
    }
    outcome.speed = control.speed();
    return outcome;
}

} // namespace

TrainingOutcome trainInTerminal(const EngineChoice& engine, const RunSpec& spec,
                                const TrainingProblem& problem, bool quiet)
{
    const std::shared_ptr<MetricsLog> log = makeLog(spec, *problem.data);
    TrainingControl control(spec.learningRate);
    ProgressDisplay display(quiet);

    auto worker =
        std::async(std::launch::async, [&] { return train(engine, spec, problem, log, control); });
    while (worker.wait_for(50ms) == std::future_status::timeout) {
        if (Interruption::requested())
            control.stop();
        display.show(*log, spec.epochs, control.speed());
    }
    display.finish(*log, spec.epochs, control.speed());
    return worker.get();
}

} // namespace fullbatch
