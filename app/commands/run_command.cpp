// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_command.h"

#include "app/commands/curve_plot.h"
#include "app/commands/data_source.h"
#include "app/commands/run_report.h"
#include "app/devices/engine_list.h"
#include "app/terminal/exit_status.h"
#include "app/terminal/interruption.h"
#include "app/terminal/standard_streams.h"
#include "app/terminal/usage_error.h"
#include "core/exchange/curve_csv.h"
#include "core/exchange/output_file.h"
#include "core/exchange/safetensors.h"
#include "core/training/cost_estimate.h"

#include <fmt/format.h>

#include <functional>
#include <ostream>

namespace fullbatch {

namespace {

void checkMemory(const NetworkShape& shape, const Dataset& data, const RunSpec& spec)
{
    const CostEstimate cost = estimateCost(shape, static_cast<std::int64_t>(data.train.rows()),
                                           spec.epochs, spec.threads, spec.batches);
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
        result.failedToWrite = true;
    }
}

// What there is, whole or broken off: an interrupted or diverged run keeps its curve and weights.
void writeFiles(const RunOptions& options, const std::vector<RunSpec>& runs, std::size_t run,
                RunResult& result)
{
    const TrainingOutcome& outcome = result.outcome;
    const std::filesystem::path csv = outputFile(options.csv, runs, run);
    write(result, csv,
          [&] { writeWhole(csv, [&](std::ostream& out) { writeCurveCsv(out, *outcome.log); }); });
    if (outcome.end.parameters) {
        const std::filesystem::path weights = outputFile(options.weights, runs, run);
        write(result, weights, [&] {
            writeWhole(weights,
                       [&](std::ostream& out) { writeSafetensors(out, *outcome.end.parameters); });
        });
    }
    const std::filesystem::path saveSpec = outputFile(options.saveSpec, runs, run);
    write(result, saveSpec, [&] {
        writeWhole(saveSpec, [&](std::ostream& out) { out << toJson(result.spec) << '\n'; });
    });
}

// The curves of all runs in one picture; the last run's result says what became of it.
void writePlots(const RunOptions& options, const CurvePlot* plot, std::vector<RunResult>& results)
{
    if (plot == nullptr)
        return;
    for (const std::filesystem::path& file : options.plots)
        write(results.back(), file, [&] { plot->write(file, results); });
}

int exitStatus(const RunResult& result)
{
    const auto& reason = result.outcome.end.reason;
    if (!reason || *reason == StopReason::Diverged || result.failedToWrite)
        return ExitFailed;
    return *reason == StopReason::Stopped ? ExitInterrupted : ExitDone;
}

/// The first that is not done; a run that failed counts before one that was interrupted.
int exitStatus(const std::vector<RunResult>& results)
{
    int status = ExitDone;
    for (const RunResult& result : results)
        if (status != ExitFailed && exitStatus(result) != ExitDone)
            status = exitStatus(result);
    return status;
}

void say(const std::string& sentence)
{
    printError("fullbatch run: " + sentence);
}

/// Everything that can be wrong with the runs is found before the first one trains.
std::vector<RunResult> prepared(const RunOptions& options, Preset& preset)
{
    std::vector<RunResult> results(preset.runs.size());
    for (std::size_t i = 0; i < results.size(); ++i) {
        RunSpec& spec = preset.runs[i];
        results[i].engine = i > 0 && spec.engine == preset.runs[i - 1].engine
            ? results[i - 1].engine
            : usableEngine(spec.engine);
        settle(spec, options, results[i].engine);
    }
    checkOutputs(options, preset.runs);
    for (std::size_t i = 0; i < results.size(); ++i) {
        RunResult& result = results[i];
        result.spec = preset.runs[i];
        const bool sameData = i > 0 && preset.runs[i].data == preset.runs[i - 1].data;
        if (sameData)
            result.spec.data = results[i - 1].spec.data;
        result.data = sameData ? results[i - 1].data : dataFor(result.spec.data);
        result.spec.hiddenWidths = hiddenWidths(options, result.spec, result.data->features(),
                                                result.data->classes, availableMemoryBytes());
        checkMemory(networkShape(result.spec, result.data->features(), result.data->classes),
                    *result.data, result.spec);
    }
    return results;
}

void train(const RunOptions& options, RunResult& result)
{
    if (!options.quiet) {
        if (const std::string noticed = notice(*result.data); !noticed.empty())
            say(noticed);
    }
    const TrainingProblem problem = trainingProblem(result.spec, result.data, result.spec.threads);
    result.outcome = trainInTerminal(result.engine, result.spec, problem, options.quiet);
}

void sayWhatFailed(const RunResult& result)
{
    if (!result.outcome.end.reason)
        say(result.outcome.end.failure);
    else if (*result.outcome.end.reason == StopReason::Diverged)
        say(endText(result));
    for (const std::string& sentence : result.notWritten)
        say(sentence);
}

} // namespace

int runCommand(const RunOptions& options)
{
    const Interruption interruption;
    Preset preset = requestedRuns(options);
    std::vector<RunResult> results = prepared(options, preset);
    // Made before the training: a display that cannot be had is better known now.
    const std::unique_ptr<CurvePlot> plot =
        options.plots.empty() ? nullptr : std::make_unique<CurvePlot>();

    const bool several = results.size() > 1;
    std::size_t done = 0;
    while (done < results.size() && !(done > 0 && Interruption::requested())) {
        RunResult& result = results[done];
        if (several && !options.quiet)
            say(fmt::format("Run {} of {}: {}", done + 1, results.size(), result.spec.name));
        train(options, result);
        writeFiles(options, preset.runs, done, result);
        ++done;
        if (done < results.size() && !options.json)
            printResults(summaryText(result) + "\n");
        sayWhatFailed(result);
        result.notWritten.clear();
    }
    results.resize(done);
    writePlots(options, plot.get(), results);
    printResults(options.json ? summaryJson(results) + "\n" : summaryText(results.back()));
    for (const std::string& sentence : results.back().notWritten)
        say(sentence);
    return exitStatus(results);
}

} // namespace fullbatch
