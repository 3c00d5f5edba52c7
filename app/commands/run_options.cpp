// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_options.h"

#include "app/commands/named_file.h"
#include "app/commands/option_value.h"
#include "app/commands/output_paths.h"
#include "app/terminal/usage_error.h"
#include "core/engine/precision_names.h"
#include "core/network/equal_budget.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace fullbatch {

namespace {

constexpr const char* publishedData = "mnist1d";

std::string fileText(const std::string& option, const std::filesystem::path& file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    if (!in || in.bad())
        throw UsageError(fmt::format("{}: {} cannot be read.", option, file.string()));
    return text.str();
}

RunSpec storedSpec(const std::filesystem::path& file)
{
    const std::string text = fileText("--spec", file);
    try {
        return runSpecFromJson(text);
    } catch (const std::invalid_argument& error) {
        throw UsageError(fmt::format("--spec: {}: {}", file.string(), error.what()));
    }
}

/// A built-in one by its name, or the file of that name.
Preset presetOf(const std::string& name)
{
    const bool isFile = name.ends_with(".json") || name.find('/') != std::string::npos;
    const std::string text = isFile ? fileText("--preset", name) : std::string();
    try {
        return isFile ? presetFromJson(text, "The preset " + name) : presetByName(name);
    } catch (const std::invalid_argument& error) {
        throw UsageError(fmt::format("--preset: {}", error.what()));
    }
}

/// The one run of the preset that --run names, by its name or its number from 1.
void chooseRun(Preset& preset, const std::string& wanted)
{
    std::string names;
    for (std::size_t i = 0; i < preset.runs.size(); ++i) {
        const std::string name =
            preset.runs[i].name.empty() ? std::to_string(i + 1) : preset.runs[i].name;
        if (wanted == name || wanted == std::to_string(i + 1)) {
            preset.runs = {preset.runs[i]};
            return;
        }
        names += (names.empty() ? "" : ", ") + name;
    }
    throw UsageError(
        fmt::format("--run: there is no run \"{}\" in the preset; allowed are {}.", wanted, names));
}

Preset startingRuns(const RunOptions& options)
{
    if (!options.specFile.empty() && options.preset)
        throw UsageError("--preset and --spec exclude each other: each of them is a whole run.");
    if (options.run && !options.preset)
        throw UsageError("--run needs --preset, whose runs it chooses from.");
    Preset preset;
    if (options.preset)
        preset = presetOf(*options.preset);
    else
        preset.runs = {options.specFile.empty() ? RunSpec() : storedSpec(options.specFile)};
    if (options.run)
        chooseRun(preset, *options.run);
    return preset;
}

void checkShapeOptions(const RunOptions& options)
{
    const bool widths = options.text("hiddenWidths").has_value();
    if (options.preset && (options.depth || options.width || widths))
        throw UsageError("--preset already says the hidden layers; leave out --depth, --width and "
                         "--widths, or --preset.");
    if (widths && (options.depth || options.width))
        throw UsageError("--widths already says every hidden layer; leave out --depth and --width, "
                         "or --widths.");
    if (options.width && !options.depth)
        throw UsageError("--width needs --depth, the number of hidden layers of that width.");
}

FieldValue wholeValue(const RunField& field, const std::string& text)
{
    if (!field.zero.empty() && text == field.zero)
        return std::int64_t{0};
    const std::string option(field.option);
    const std::string allowed(field.allowed);
    const std::int64_t number = wholeNumber(option, text, allowed);
    if (number < field.smallestStored
        || (number > 0 && static_cast<std::uint64_t>(number) > field.largestStored))
        throw UsageError(
            fmt::format("{}: {} is out of range; allowed is {}.", option, text, allowed));
    return number;
}

FieldValue choiceValue(const RunField& field, const std::string& text)
{
    const auto& choices = field.choices;
    if (std::find(choices.begin(), choices.end(), text) != choices.end())
        return text;
    std::string names;
    for (const std::string_view choice : choices)
        names.append(names.empty() ? "" : ", ").append(choice);
    throw UsageError(
        fmt::format("{}: \"{}\" is unknown; allowed are {}.", field.option, text, names));
}

FieldValue valueFromText(const RunField& field, const std::string& text)
{
    switch (field.type) {
    case FieldType::Whole:
        return wholeValue(field, text);
    case FieldType::Real:
        return realNumber(std::string(field.option), text, std::string(field.allowed));
    case FieldType::Choice:
        return choiceValue(field, text);
    case FieldType::Widths:
        return widthList(std::string(field.option), text);
    case FieldType::Text:
    case FieldType::Flag:
        break;
    }
    return text;
}

/// Sets what was typed. The checksum of a stored description is of the data as they were then.
void takeFields(const RunOptions& options, RunSpec& spec)
{
    for (const RunOptions::Typed& typed : options.fields) {
        const RunField& field = *typed.field;
        const bool flagged = typed.flag != nullptr && typed.flag->count() > 0;
        if (!typed.text && !flagged)
            continue;
        if (field.key.starts_with("data."))
            spec.data.sha256.clear();
        if (field.key == "data.file")
            spec.data.recipe = {};
        if (flagged)
            field.set(spec, typed.on);
        else if (field.key == "data.file" && *typed.text == publishedData)
            field.set(spec, std::string());
        else
            field.set(spec, valueFromText(field, *typed.text));
    }
}

Precision precisionFor(const EngineChoice& engine, const std::optional<std::string>& wanted)
{
    if (!wanted)
        return engine.precisions.front();
    const Precision precision =
        precisionFromName(std::get<std::string>(choiceValue(runField("precision"), *wanted)))
            .value();
    std::string names;
    for (const Precision offered : engine.precisions) {
        if (offered == precision)
            return offered;
        names += names.empty() ? "" : ", ";
        names += precisionName(offered);
    }
    throw UsageError(
        fmt::format("--precision: the engine {} does not compute in {}; allowed is {}.", engine.id,
                    *wanted, names));
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

const char* heading(FieldGroup group)
{
    switch (group) {
    case FieldGroup::Data:
        return "Data";
    case FieldGroup::Network:
        return "Network";
    case FieldGroup::Descent:
        return "Descent";
    case FieldGroup::Length:
        return "Length";
    case FieldGroup::Ends:
        return "Early ends";
    case FieldGroup::Engine:
        return "Engine";
    case FieldGroup::Hidden:
        break;
    }
    return "Experiment";
}

void addField(CLI::App& command, RunOptions::Typed& typed)
{
    const RunField& field = *typed.field;
    const std::string help(field.help);
    if (field.type == FieldType::Flag) {
        const std::string name =
            std::string(field.option) + ",!--no-" + std::string(field.option.substr(2));
        typed.flag = command.add_flag(name, typed.on, help)->group(heading(field.group));
        return;
    }
    std::string choices;
    for (const std::string_view choice : field.choices)
        choices.append(choices.empty() ? " (" : ", ").append(choice);
    CLI::Option* const option = command.add_option(std::string(field.option), typed.text,
                                                   choices.empty() ? help : help + choices + ")");
    option->group(heading(field.group));
    if (field.key == "data.file")
        option->check(namedFile());
}

} // namespace

void RunOptions::addTo(CLI::App& command)
{
    const std::string experiment = "Experiment";
    command.add_option("--preset", preset, "An experiment by its name, see below, or a .json file")
        ->group(experiment);
    command.add_option("--run", run, "Only this run of the preset, by its name or number")
        ->group(experiment);
    command.add_option("--spec", specFile, "Train what this file of --save-spec says")
        ->check(namedFile())
        ->group(experiment);
    for (const RunField& field : runFields())
        if (!field.option.empty())
            fields.push_back({&field, {}, false, nullptr});
    for (Typed& typed : fields)
        addField(command, typed);
    const std::string shape = heading(FieldGroup::Network);
    command.add_option("--depth", depth, "Hidden layers, 0 or more")->group(shape);
    command
        .add_option("--width", width,
                    "Units in each of them; without it, what comes nearest to 15,208 parameters")
        ->group(shape);

    const std::string output = "Output, of several runs with their names in the files'";
    command.add_option("--csv", csv, "Every epoch of the curve")->check(namedFile())->group(output);
    command.add_option("--plot", plots, "The curves as .png, .svg or .pdf; may be repeated")
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

const std::optional<std::string>& RunOptions::text(std::string_view key) const
{
    static const std::optional<std::string> nothing;
    const auto found = std::find_if(fields.begin(), fields.end(),
                                    [&](const Typed& typed) { return typed.field->key == key; });
    return found == fields.end() ? nothing : found->text;
}

Preset requestedRuns(const RunOptions& options)
{
    checkShapeOptions(options);
    Preset preset = startingRuns(options);
    for (RunSpec& spec : preset.runs)
        takeFields(options, spec);
    return preset;
}

void settle(RunSpec& spec, const RunOptions& options, const EngineChoice& engine)
{
    // A description or preset names the precision that it means for the engine that it names.
    const bool described = (!options.specFile.empty() || options.preset) && !options.text("engine");
    const std::optional<std::string>& typed = options.text("precision");
    spec.precision = precisionFor(
        engine, typed || !described ? typed : std::string(precisionName(spec.precision)));
    for (const FieldProblem& problem : problems(spec))
        throw UsageError(fmt::format(
            "{}: {}", problem.field->option.empty() ? problem.field->key : problem.field->option,
            problem.message));
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

std::filesystem::path outputFile(const std::filesystem::path& file,
                                 const std::vector<RunSpec>& runs, std::size_t run)
{
    if (file.empty() || runs.size() == 1)
        return file;
    std::string name = runs[run].name.empty() ? std::to_string(run + 1) : runs[run].name;
    std::replace_if(
        name.begin(), name.end(),
        [](char c) { return c == '/' || static_cast<unsigned char>(c) <= ' '; }, '-');
    std::filesystem::path result = file;
    result.replace_filename(file.stem().string() + "-" + name + file.extension().string());
    return result;
}

void checkOutputs(const RunOptions& options, const std::vector<RunSpec>& runs)
{
    OutputPaths paths;
    for (std::size_t run = 0; run < runs.size(); ++run) {
        paths.add("--csv", outputFile(options.csv, runs, run));
        paths.add("--weights", outputFile(options.weights, runs, run));
        paths.add("--save-spec", outputFile(options.saveSpec, runs, run));
    }
    for (const std::filesystem::path& plot : options.plots)
        paths.add("--plot", plot, {".png", ".svg", ".pdf"});
    paths.check();
}

} // namespace fullbatch
