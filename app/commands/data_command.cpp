// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/data_command.h"

#include "app/commands/data_source.h"
#include "app/commands/named_file.h"
#include "app/commands/option_value.h"
#include "app/commands/output_paths.h"
#include "app/terminal/exit_status.h"
#include "app/terminal/grouped_number.h"
#include "app/terminal/standard_streams.h"
#include "app/terminal/usage_error.h"
#include "core/exchange/data_writers.h"
#include "core/exchange/output_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>

namespace fullbatch {

namespace {

using Json = nlohmann::ordered_json;

void takePadding(const std::string& text, Mnist1dRecipe& recipe)
{
    const std::string allowed = "two whole numbers, smallest and largest, such as 36,60";
    const std::size_t comma = text.find(',');
    if (comma == std::string::npos)
        throw UsageError(
            fmt::format("--padding: \"{}\" is one number; allowed are {}.", text, allowed));
    recipe.minimumPadding = wholeNumber("--padding", text.substr(0, comma), allowed);
    recipe.maximumPadding = wholeNumber("--padding", text.substr(comma + 1), allowed);
}

std::uint32_t recipeSeed(const std::string& text)
{
    const std::string allowed = "a whole number from 0 to 4294967295";
    const std::int64_t seed = wholeNumber("--seed", text, allowed);
    if (seed < 0 || seed > std::numeric_limits<std::uint32_t>::max())
        throw UsageError(fmt::format("--seed: {} is out of range; allowed is {}.", text, allowed));
    return static_cast<std::uint32_t>(seed);
}

// Reads the options one by one; says whether there was any.
bool takeRecipe(const DataOptions& options, Mnist1dRecipe& recipe)
{
    bool any = false;
    const auto whole = [&](const char* name, const std::optional<std::string>& text,
                           std::int64_t& value) {
        if (text)
            value = wholeNumber(name, *text, "a whole number");
        any = any || text;
    };
    const auto real = [&](const char* name, const std::optional<std::string>& text, double& value) {
        if (text)
            value = realNumber(name, *text, "a number such as 0.25");
        any = any || text;
    };
    whole("--samples", options.samples, recipe.samples);
    real("--train-fraction", options.trainFraction, recipe.trainFraction);
    real("--scale", options.scale, recipe.scale);
    whole("--translation", options.translation, recipe.maximumTranslation);
    real("--correlated-noise", options.correlatedNoise, recipe.correlatedNoise);
    real("--independent-noise", options.independentNoise, recipe.independentNoise);
    real("--shear", options.shear, recipe.shear);
    whole("--length", options.length, recipe.length);
    if (options.padding)
        takePadding(*options.padding, recipe);
    if (options.seed)
        recipe.seed = recipeSeed(*options.seed);
    return any || options.padding || options.seed;
}

std::string rowsText(std::size_t rows)
{
    return grouped(static_cast<std::int64_t>(rows));
}

std::string describedText(const Dataset& data, const DataSpec& spec)
{
    std::string text = fmt::format("Source    {}\nTraining  {} rows x {} values\nTest      {} rows "
                                   "x {} values\nSHA-256   {}\n\nclass  training rows  test rows\n",
                                   data.source, rowsText(data.train.rows()), data.features(),
                                   rowsText(data.test.rows()), data.features(), spec.sha256);
    const auto train = classCounts(data.train, data.classes);
    const auto test = classCounts(data.test, data.classes);
    for (std::size_t label = 0; label < train.size(); ++label)
        text += fmt::format("{:>5}  {:>13}  {:>9}\n", label, rowsText(train[label]),
                            rowsText(test[label]));
    return text;
}

std::string describedJson(const Dataset& data, const DataSpec& spec, const DataOptions& options)
{
    const auto splitJson = [&](const Split& split) {
        return Json{{"rows", split.rows()},
                    {"features", data.features()},
                    {"class_counts", classCounts(split, data.classes)}};
    };
    Json json = {{"source", data.source},        {"classes", data.classes},
                 {"features", data.features()},  {"train", splitJson(data.train)},
                 {"test", splitJson(data.test)}, {"sha256", spec.sha256},
                 {"files", Json::array()}};
    for (const std::filesystem::path& file : options.outputs)
        json["files"].push_back(file.string());
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace

void DataOptions::addTo(CLI::App& command)
{
    command.add_option("--data", data, "mnist1d (generated, the default), or a file to read")
        ->check(namedFile());
    command.add_option("--out", outputs, "Write the data as .csv or .npz; may be repeated")
        ->expected(1)
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
        ->check(namedFile());
    command.add_flag("--json", json, "What the data are, as JSON");

    const std::string recipe = "Recipe of mnist1d (defaults: the published file)";
    const auto add = [&](const char* name, std::optional<std::string>& value, const char* text) {
        command.add_option(name, value, text)->group(recipe);
    };
    add("--seed", seed, "Of NumPy's legacy random stream; default 42");
    add("--samples", samples, "Rows, training and test together; default 5000");
    add("--train-fraction", trainFraction, "Share of the training rows; default 0.8");
    add("--length", length, "Values of a row; default 40");
    add("--padding", padding, "Fewest and most zeros after a digit; default 36,60");
    add("--scale", scale, "Range of the amplitude; default 0.4");
    add("--translation", translation, "Largest shift; default 48");
    add("--correlated-noise", correlatedNoise, "Default 0.25");
    add("--independent-noise", independentNoise, "Default 0.02");
    add("--shear", shear, "Default 0.75");
}

DataSpec dataSpec(const DataOptions& options)
{
    DataSpec spec;
    if (options.data && *options.data != "mnist1d")
        spec.file = *options.data;
    if (takeRecipe(options, spec.recipe) && !spec.file.empty())
        throw UsageError("--data: a file is read as it is; leave out the options of the recipe, "
                         "which belong to --data mnist1d.");
    if (const std::string wrong = problem(spec.recipe); !wrong.empty())
        throw UsageError(wrong);
    return spec;
}

int dataCommand(const DataOptions& options)
{
    DataSpec spec = dataSpec(options);
    OutputPaths paths;
    for (const std::filesystem::path& file : options.outputs)
        paths.add("--out", file, {".csv", ".npz"});
    paths.check();

    const std::shared_ptr<const Dataset> data = dataFor(spec);
    if (const std::string noticed = notice(*data); !noticed.empty())
        printError("fullbatch data: " + noticed);
    std::string written;
    for (const std::filesystem::path& file : options.outputs) {
        file.extension() == ".npz" ? writeDataNpz(file, *data) : writeDataCsv(file, *data);
        written += "Written   " + file.string() + "\n";
    }
    printResults(options.json
                     ? describedJson(*data, spec, options)
                     : describedText(*data, spec) + (written.empty() ? "" : "\n") + written);
    return ExitDone;
}

} // namespace fullbatch
