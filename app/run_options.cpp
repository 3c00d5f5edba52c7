// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/run_options.h"

#include "app/named_file.h"
#include "app/number_text.h"
#include "app/output_paths.h"
#include "app/usage_error.h"
#include "core/engine/precision_names.h"
#include "core/network/equal_budget.h"
#include "core/training/presets.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <fstream>
#include <limits>
#include <sstream>

namespace fullbatch {

namespace {

const char* optionName(Field field)
{
    switch (field) {
    case Field::Data:
        return "--data";
    case Field::HiddenWidths:
        return "--widths";
    case Field::Initialisation:
        return "initialisation";
    case Field::LearningRate:
        return "--learning-rate";
    case Field::Momentum:
        return "--momentum";
    case Field::BatchSize:
        return "--batch-size";
    case Field::Epochs:
        return "--epochs";
    case Field::Seed:
        return "--seed";
    case Field::Engine:
        return "--engine";
    case Field::Precision:
        return "--precision";
    case Field::Threads:
        return "--threads";
    case Field::TestEvery:
        return "--test-every";
    case Field::StopAfterZeroErrorEpochs:
        return "stop_after_zero_error_epochs";
    case Field::StopAfterSeconds:
        return "stop_after_seconds";
    }
    return "";
}

RunSpec presetSpec(const std::string& name)
{
    try {
        return presetByName(name);
    } catch (const std::invalid_argument& error) {
        throw UsageError(fmt::format("--preset: {}", error.what()));
    }
}

RunSpec storedSpec(const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in || in.bad())
        throw UsageError(fmt::format("--spec: {} cannot be read.", file.string()));
    try {
        return runSpecFromJson(text.str());
    } catch (const std::invalid_argument& error) {
        throw UsageError(fmt::format("--spec: {}: {}", file.string(), error.what()));
    }
}

RunSpec startingSpec(const RunOptions& options)
{
    if (!options.specFile.empty() && options.preset)
        throw UsageError("--preset and --spec exclude each other: each of them is a whole run.");
    if (!options.specFile.empty())
        return storedSpec(options.specFile);
    return options.preset ? presetSpec(*options.preset) : RunSpec();
}

void checkShapeOptions(const RunOptions& options)
{
    const bool shaped = options.depth || options.width || options.widths;
    if (options.preset && shaped)
        throw UsageError("--preset already says the hidden layers; leave out --depth, --width and "
                         "--widths, or --preset.");
    if (options.widths && (options.depth || options.width))
        throw UsageError("--widths already says every hidden layer; leave out --depth and --width, "
                         "or --widths.");
    if (options.width && !options.depth)
        throw UsageError("--width needs --depth, the number of hidden layers of that width.");
}

Precision precisionFor(const EngineChoice& engine, const std::optional<std::string>& wanted)
{
    if (!wanted)
        return engine.precisions.front();
    const std::optional<Precision> precision = precisionFromName(*wanted);
    if (!precision)
        throw UsageError(fmt::format("--precision: \"{}\" is unknown; allowed are {}.", *wanted,
                                     precisionNames()));
    std::string names;
    for (const Precision offered : engine.precisions) {
        if (offered == *precision)
            return offered;
        names += names.empty() ? "" : ", ";
        names += precisionName(offered);
    }
    throw UsageError(
        fmt::format("--precision: the engine {} does not compute in {}; allowed is {}.", engine.id,
                    *wanted, names));
}

std::int64_t batchRows(const std::string& text)
{
    const std::string allowed =
        "full, every training row in each step (mini-batches are not built yet)";
    if (text != "full" && text != "0") {
        static_cast<void>(wholeNumber("--batch-size", text, allowed));
        throw UsageError(
            fmt::format("--batch-size: {} cannot be used; allowed is {}.", text, allowed));
    }
    return 0;
}

// A whole number that an unsigned or shorter type of RunSpec can hold; problems() knows the range.
std::int64_t wholeNumberUpTo(const std::string& option, const std::string& text,
                             std::int64_t largest, const std::string& allowed)
{
    const std::int64_t number = wholeNumber(option, text, allowed);
    if (number < 0 || number > largest)
        throw UsageError(
            fmt::format("{}: {} is out of range; allowed is {}.", option, text, allowed));
    return number;
}

void takeNumbers(const RunOptions& options, RunSpec& spec)
{
    if (options.learningRate)
        spec.learningRate = realNumber("--learning-rate", *options.learningRate,
                                       "a positive number such as 0.0025");
    if (options.momentum)
        spec.momentum = realNumber("--momentum", *options.momentum,
                                   "a number from 0 up to but not 1, such as 0.9");
    if (options.batchSize)
        spec.batchSize = batchRows(*options.batchSize);
    if (options.epochs)
        spec.epochs = wholeNumber(
            "--epochs", *options.epochs,
            fmt::format("a whole number from 1 to {}", grouped(RunSpec::maximumEpochs)));
    if (options.seed)
        spec.seed = static_cast<std::uint64_t>(
            wholeNumberUpTo("--seed", *options.seed, std::numeric_limits<std::uint32_t>::max(),
                            "a whole number from 0 to 4294967295"));
    if (options.threads)
        spec.threads =
            static_cast<int>(wholeNumberUpTo("--threads", *options.threads, 1024,
                                             "a whole number from 1 to 1024, or 0 for every core"));
    if (options.testEvery)
        spec.testEvery = wholeNumber("--test-every", *options.testEvery,
                                     "a whole number of epochs, or 0 for never");
}

std::int64_t checkedDepth(const RunOptions& options, double availableBytes)
{
    const std::int64_t depth =
        wholeNumber("--depth", *options.depth, "a whole number from 0 up, such as 4");
    if (depth < 0)
        throw UsageError(fmt::format(
            "--depth: {} is below 0; allowed is a whole number from 0 up, such as 4.", depth));
    constexpr double bytesPerLayer = 1000; // its tables alone, before any weight
    const double needed = bytesPerLayer * static_cast<double>(depth);
    if (needed > availableBytes)
        throw UsageError(fmt::format(
            "--depth: {} hidden layers need at least {:.3g} GB of memory, and {:.3g} GB are "
            "available; allowed is what fits.",
            depth, needed / 1e9, availableBytes / 1e9));
    return depth;
}

} // namespace

void RunOptions::addTo(CLI::App& command)
{
    const std::string shape = "Network";
    command.add_option("--preset", preset, "A network of figure 20.2, see below")->group(shape);
    command.add_option("--depth", depth, "Hidden layers, 0 or more")->group(shape);
    command
        .add_option("--width", width,
                    "Units in each of them; without it, what comes nearest to 15,208 parameters")
        ->group(shape);
    command.add_option("--widths", widths, "Units of each hidden layer: 63,63,63,63")->group(shape);

    const std::string training = "Training";
    command.add_option("--learning-rate", learningRate, "Default 0.0025")->group(training);
    command.add_option("--momentum", momentum, "0 up to but not 1; default 0")->group(training);
    command.add_option("--batch-size", batchSize, "full: every training row in each step")
        ->group(training);
    command.add_option("--epochs", epochs, "Default 200000")->group(training);
    command.add_option("--seed", seed, "Of the start weights, as torch.manual_seed; default 1")
        ->group(training);
    command.add_option("--data", data, "mnist1d (generated), or a data file")
        ->check(namedFile())
        ->group(training);
    command
        .add_option("--test-every", testEvery,
                    "Evaluate the test rows every so many epochs; default 0, never")
        ->group(training);
    command.add_option("--spec", specFile, "Train what this file of --save-spec says")
        ->check(namedFile())
        ->group(training);

    const std::string where = "Engine";
    command
        .add_option("--engine", engine, "cpu, gpu, gpu:1, ... or reference; see fullbatch devices")
        ->group(where);
    command.add_option("--precision", precision, "fp32, tf32, bf16 or fp16")->group(where);
    command.add_option("--threads", threads, "At most so many; default every core")->group(where);

    const std::string output = "Output";
    command.add_option("--csv", csv, "Every epoch of the curve")->check(namedFile())->group(output);
    command.add_option("--plot", plots, "The curve as .png, .svg or .pdf; may be repeated")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(namedFile())
        ->group(output);
    command.add_option("--weights", weights, "The last weights as .safetensors")
        ->check(namedFile())
        ->group(output);
    command.add_option("--save-spec", saveSpec, "All that the run depends on, as JSON")
        ->check(namedFile())
        ->group(output);
    command.add_flag("--json", json, "Results as JSON")->group(output);
    command.add_flag("--quiet", quiet, "No progress")->group(output);
}

RunSpec requestedSpec(const RunOptions& options)
{
    checkShapeOptions(options);
    RunSpec spec = startingSpec(options);
    takeNumbers(options, spec);
    if (options.widths)
        spec.hiddenWidths = widthList("--widths", *options.widths);
    if (options.data) {
        spec.data = {};
        spec.data.file = *options.data == "mnist1d" ? "" : *options.data;
    }
    if (options.engine)
        spec.engine = *options.engine;
    return spec;
}

void settle(RunSpec& spec, const RunOptions& options, const EngineChoice& engine)
{
    const bool stored = !options.specFile.empty() && !options.engine;
    spec.precision =
        precisionFor(engine,
                     options.precision || !stored ? options.precision
                                                  : std::string(precisionName(spec.precision)));
    for (const FieldProblem& problem : problems(spec))
        throw UsageError(fmt::format("{}: {}", optionName(problem.field), problem.message));
}

std::vector<std::int64_t> hiddenWidths(const RunOptions& options, const RunSpec& spec,
                                       std::int64_t features, std::int64_t classes,
                                       double availableBytes)
{
    if (!options.depth)
        return spec.hiddenWidths;
    const std::int64_t depth = checkedDepth(options, availableBytes);
    if (depth == 0)
        return {};
    std::int64_t width = 0;
    if (options.width) {
        const std::string allowed = "a whole number from 1 up, such as 63";
        width = wholeNumber("--width", *options.width, allowed);
        if (width < 1)
            throw UsageError(
                fmt::format("--width: {} is no width; allowed is {}.", width, allowed));
    } else {
        width = equalBudgetWidth(features, classes, depth, standardBudget);
    }
    return std::vector<std::int64_t>(static_cast<std::size_t>(depth), width);
}

void checkOutputs(const RunOptions& options)
{
    OutputPaths paths;
    paths.add("--csv", options.csv);
    paths.add("--weights", options.weights);
    paths.add("--save-spec", options.saveSpec);
    for (const std::filesystem::path& plot : options.plots)
        paths.add("--plot", plot, {".png", ".svg", ".pdf"});
    paths.check();
}

} // namespace fullbatch
