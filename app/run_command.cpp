// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_command.h"

#include "app/curve_plot.h"
#include "app/data_source.h"
#include "app/engine_list.h"
#include "app/exit_status.h"
#include "app/interruption.h"
#include "app/run_report.h"
#include "app/standard_streams.h"
#include "app/usage_error.h"
#include "core/exchange/curve_csv.h"
#include "core/exchange/output_file.h"
#include "core/exchange/safetensors.h"
#include "core/network/initialisation.h"
#include "core/training/cost_estimate.h"

#include <functional>
#include <ostream>

namespace fullbatch {

namespace {

void checkMemory(const NetworkShape& shape, const Dataset& data, const RunSpec& spec)
{
    const CostEstimate cost = estimateCost(shape, static_cast<std::int64_t>(data.train.rows()),
                                           spec.epochs, spec.threads);
    const std::string problem = memoryProblem(cost, availableMemoryBytes());
    if (!problem.empty())
        throw UsageError(shape.text() + ": " + problem);
}

void write(RunResult& result, const std::filesystem::path& file,
           const std::function<void()>& writeIt)
{
    if (file.empty())
        return;
    try {
        writeIt();
        result.written.push_back(file);
    } catch (const OutputError& error) {
        result.notWritten.emplace_back(error.what());
    }
}

// What there is, whole or broken off: an interrupted or diverged run keeps its curve and weights.
void writeFiles(const RunOptions& options, const CurvePlot* plot, RunResult& result)
{
    const TrainingOutcome& outcome = result.outcome;
    write(result, options.csv, [&] {
        writeWhole(options.csv, [&](std::ostream& out) { writeCurveCsv(out, *outcome.log); });
    });
    if (outcome.end.parameters) {
        write(result, options.weights, [&] {
            writeWhole(options.weights,
                       [&](std::ostream& out) { writeSafetensors(out, *outcome.end.parameters); });
        });
    }
    write(result, options.saveSpec, [&] {
        writeWhole(options.saveSpec,
                   [&](std::ostream& out) { out << toJson(result.spec) << '\n'; });
    });
    if (plot != nullptr) {
        for (const std::filesystem::path& file : options.plots)
            write(result, file, [&] { plot->write(file, result); });
    }
}

int exitStatus(const RunResult& result)
{
    const auto& reason = result.outcome.end.reason;
    if (!reason || *reason == StopReason::Diverged || !result.notWritten.empty())
        return ExitFailed;
    return *reason == StopReason::Stopped ? ExitInterrupted : ExitDone;
}

void say(const std::string& sentence)
{
    printError("fullbatch run: " + sentence);
}

} // namespace

int runCommand(const RunOptions& options)
{
    const Interruption interruption;
    RunResult result;
    result.spec = requestedSpec(options);
    result.engine = usableEngine(result.spec.engine);
    settle(result.spec, options, result.engine);
    checkOutputs(options);
    result.data = loadData(result.spec.data);
    result.spec.hiddenWidths = hiddenWidths(options, result.spec, result.data->features(),
                                            result.data->classes, availableMemoryBytes());
    const NetworkShape shape =
        networkShape(result.spec, result.data->features(), result.data->classes);
    checkMemory(shape, *result.data, result.spec);
    // Made before the training: a display that cannot be had is better known now.
    const std::unique_ptr<CurvePlot> plot =
        options.plots.empty() ? nullptr : std::make_unique<CurvePlot>();

    if (!options.quiet) {
        if (const std::string noticed = notice(*result.data); !noticed.empty())
            say(noticed);
    }
    const TrainingProblem problem{result.data,
                                  initialParameters(shape, result.spec.seed),
                                  {result.spec.momentum, false},
                                  result.spec.precision,
                                  result.spec.threads};
    result.outcome = trainInTerminal(result.engine, result.spec, problem, options.quiet);
    writeFiles(options, plot.get(), result);

    printResults(options.json ? summaryJson(result) + "\n" : summaryText(result));
    if (!result.outcome.end.reason)
        say(result.outcome.end.failure);
    else if (*result.outcome.end.reason == StopReason::Diverged)
        say(endText(result));
    for (const std::string& sentence : result.notWritten)
        say(sentence);
    return exitStatus(result);
}

} // namespace fullbatch
