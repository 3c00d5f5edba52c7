// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/bench_command.h"

#include "app/commands/epoch_timing.h"
#include "app/commands/option_value.h"
#include "app/devices/engine_list.h"
#include "app/terminal/exit_status.h"
#include "app/terminal/standard_streams.h"
#include "app/terminal/usage_error.h"
#include "core/data/mnist1d.h"
#include "core/engine/cpu/thread_team.h"
#include "core/network/initialisation.h"
#include "core/training/cost_estimate.h"
#include "core/training/presets.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace fullbatch {

namespace {

struct BenchResult
{
    std::string engine;
    int threads = 0;
    std::vector<std::int64_t> hiddenWidths;
    std::int64_t batchSize = 0; ///< 0: full batch
    EpochTiming timing;
    std::optional<double> peakShare; ///< of the peak at the clock of the epochs

    /// Something else held up the peak loop: the share would exceed 1.
    [[nodiscard]] bool disturbed() const { return timing.peakGflops && !peakShare; }
};

int threadsOf(const BenchOptions& options)
{
    if (!options.threads)
        return usableCores();
    const std::string allowed = "a whole number from 1 to 1024";
    const std::int64_t threads = wholeNumber("--threads", *options.threads, allowed);
    if (threads < 1 || threads > 1024)
        throw UsageError(
            fmt::format("--threads: {} is out of range; allowed is {}.", threads, allowed));
    return static_cast<int>(threads);
}

double secondsOf(const BenchOptions& options)
{
    const std::string allowed = "a number of seconds above 0, up to 3600";
    const double seconds =
        options.seconds ? realNumber("--seconds", *options.seconds, allowed) : 2.0;
    if (!(seconds > 0 && seconds <= 3600))
        throw UsageError(
            fmt::format("--seconds: {} is out of range; allowed is {}.", seconds, allowed));
    return seconds;
}

Batches batchesOf(const BenchOptions& options)
{
    Batches batches;
    if (!options.batchSize || *options.batchSize == "full")
        return batches;
    const std::string allowed = "full, or a whole number from 1";
    batches.size = wholeNumber("--batch-size", *options.batchSize, allowed);
    if (batches.size < 1)
        throw UsageError(
            fmt::format("--batch-size: {} is out of range; allowed is {}.", batches.size, allowed));
    return batches;
}

std::vector<std::vector<std::int64_t>> networksOf(const BenchOptions& options)
{
    if (options.widths)
        return {widthList("--widths", *options.widths)};
    std::vector<std::vector<std::int64_t>> networks;
    for (const RunSpec& preset : figure202Presets())
        networks.push_back(preset.hiddenWidths);
    return networks;
}

void checkMemory(const std::vector<std::vector<std::int64_t>>& networks, const Dataset& data,
                 int threads, const Batches& batches)
{
    for (const auto& widths : networks) {
        const auto shape = NetworkShape::mlp(data.features(), widths, data.classes);
        const std::string problem = memoryProblem(
            estimateCost(shape, static_cast<std::int64_t>(data.train.rows()), 1, threads, batches),
            availableMemoryBytes());
        if (!problem.empty())
            throw UsageError(fmt::format("--widths: {}: {}", shape.text(), problem));
    }
}

std::vector<EngineChoice> enginesOf(const BenchOptions& options)
{
    if (options.engine)
        return {usableEngine(*options.engine)};
    std::vector<EngineChoice> engines = engineList();
    engines.erase(std::remove_if(engines.begin(), engines.end(),
                                 [](const EngineChoice& engine) { return !engine.usable(); }),
                  engines.end());
    return engines;
}

BenchResult measure(const EngineChoice& engine, const TrainingProblem& problem,
                    const Batches& batches, double seconds)
{
    BenchResult result;
    result.engine = engine.id;
    const bool onCpu = engine.id == "cpu"; // the others use one thread, and no peak is known
    result.threads = onCpu ? problem.threads : 1;
    result.hiddenWidths = problem.initial.shape().hiddenWidths();
    result.batchSize = batches.size;
    std::optional<PeakLoop> peak;
    if (onCpu)
        peak.emplace(problem.threads);
    result.timing = timeEpochs(engine, problem, RunSpec().learningRate, batches, seconds,
                               peak ? &*peak : nullptr);
    if (result.timing.peakGflops && result.timing.gflops <= *result.timing.peakGflops)
        result.peakShare = result.timing.gflops / *result.timing.peakGflops;
    return result;
}

template <typename Value>
nlohmann::ordered_json orNull(const std::optional<Value>& value)
{
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

nlohmann::ordered_json json(const BenchResult& result)
{
    const EpochTiming& timing = result.timing;
    return {{"engine", result.engine},
            {"threads", result.threads},
            {"hidden_widths", result.hiddenWidths},
            {"batch_size",
             result.batchSize == 0 ? nlohmann::ordered_json("full")
                                   : nlohmann::ordered_json(result.batchSize)},
            {"epoch_ms_median", timing.medianSeconds * 1e3},
            {"epoch_ms_min", timing.minimumSeconds * 1e3},
            {"epoch_ms_upper_quartile", timing.upperQuartileSeconds * 1e3},
            {"epochs_timed", timing.epochs},
            {"epochs_per_second", 1 / timing.medianSeconds},
            {"gflops", timing.gflops},
            {"peak_gflops", orNull(timing.peakGflops)},
            {"peak_gflops_highest", orNull(timing.highestPeakGflops)},
            {"peak_share", orNull(result.peakShare)}};
}

std::string text(const BenchResult& result)
{
    const EpochTiming& timing = result.timing;
    return fmt::format("{:<10} {:>7}  {:<14} {:>11.3f} {:>9.3f} {:>13.3f} {:>11.4g} {:>8.2f}  {}\n",
                       result.engine, result.threads, widthsText(result.hiddenWidths),
                       timing.medianSeconds * 1e3, timing.minimumSeconds * 1e3,
                       timing.upperQuartileSeconds * 1e3, 1 / timing.medianSeconds, timing.gflops,
                       result.peakShare ? fmt::format("{:.2f}", *result.peakShare) : "-");
}

constexpr const char* tableHead =
    "engine     threads  hidden layers   ms, median  smallest  3 of 4 below    epochs/s  GFLOP/s  "
    "of peak\n";

} // namespace

void BenchOptions::addTo(CLI::App& command)
{
    command.add_option("--engine", engine, "Only this engine; default every usable one");
    command.add_option("--threads", threads, "Default every core");
    command.add_option("--widths", widths, "Only this network, such as 63,63,63,63");
    command.add_option("--batch-size", batchSize,
                       "Rows of one update, in file order; default full");
    command.add_option("--seconds", seconds, "For each network and engine; default 2");
    command.add_flag("--json", json, "Results as JSON");
}

int benchCommand(const BenchOptions& options)
{
    const int threads = threadsOf(options);
    const double seconds = secondsOf(options);
    const Batches batches = batchesOf(options);
    const auto networks = networksOf(options);
    const std::vector<EngineChoice> engines = enginesOf(options);
    const auto data = std::make_shared<const Dataset>(generateMnist1d());
    checkMemory(networks, *data, threads, batches);

    bool disturbed = false;
    auto results = nlohmann::ordered_json::array();
    if (!options.json)
        printResults(tableHead);
    for (const EngineChoice& engine : engines) {
        for (const auto& widths : networks) {
            const auto shape = NetworkShape::mlp(data->features(), widths, data->classes);
            const BenchResult result = measure(
                engine, {data, initialParameters(shape, 1), {}, engine.precisions.front(), threads},
                batches, seconds);
            disturbed = disturbed || result.disturbed();
            if (options.json)
                results.push_back(json(result));
            else
                printResults(text(result));
        }
    }
    if (options.json)
        printResults(nlohmann::ordered_json{{"results", results}}.dump(2) + "\n");
    if (disturbed)
        printError(
            "fullbatch bench: Some shares are missing, because other programs, or more threads "
            "than cores, held up the measurement of the peak; repeat it on a quiet machine.");
    return ExitDone;
}

} // namespace fullbatch
