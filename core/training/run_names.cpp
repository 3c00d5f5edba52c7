// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/run_names.h"

#include "core/engine/precision_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <set>

namespace fullbatch {

namespace {

using Text = std::string (*)(const RunSpec&);

std::string dataText(const RunSpec& spec)
{
    if (!spec.data.file.empty())
        return std::filesystem::path(spec.data.file).filename().string();
    Mnist1dRecipe published;
    if (spec.data.recipe == published)
        return "MNIST-1D";
    published.seed = spec.data.recipe.seed;
    if (spec.data.recipe == published)
        return fmt::format("MNIST-1D with seed {}", spec.data.recipe.seed);
    return "MNIST-1D by another recipe";
}

std::string batchText(const RunSpec& spec)
{
    return spec.batchSize == 0 ? "full batch" : fmt::format("batch {}", spec.batchSize);
}

std::string precisionText(const RunSpec& spec)
{
    return std::string(precisionName(spec.precision));
}

bool isReduced(Precision precision)
{
    return precision != Precision::Fp32 && precision != Precision::Fp64;
}

constexpr std::array<Text, 5> changesTheExperiment{
    dataText,
    [](const RunSpec& spec) { return fmt::format("rate {}", spec.learningRate); },
    [](const RunSpec& spec) { return fmt::format("momentum {}", spec.momentum); },
    batchText,
    [](const RunSpec& spec) { return spec.initialisation; },
};

constexpr std::array<Text, 5> repeatsTheExperiment{
    [](const RunSpec& spec) { return fmt::format("seed {}", spec.seed); },
    [](const RunSpec& spec) { return spec.engine; },
    precisionText,
    [](const RunSpec& spec) { return fmt::format("{} epochs", spec.epochs); },
    [](const RunSpec& spec) {
        return spec.threads == 0 ? std::string("all threads")
                                 : fmt::format("{} threads", spec.threads);
    },
};

bool hasOwnName(std::span<const RunSpec> runs, const RunSpec& run)
{
    const auto alike = std::count_if(runs.begin(), runs.end(),
                                     [&](const RunSpec& other) { return other.name == run.name; });
    return !run.name.empty() && alike == 1;
}

/// Adds what `text` says wherever runs that are called the same differ in it.
void tellApart(std::span<const RunSpec> runs, std::vector<std::string>& names, Text text)
{
    const std::vector<std::string> before = names;
    for (std::size_t run = 0; run < runs.size(); ++run)
        for (std::size_t other = 0; other < runs.size(); ++other)
            if (before[other] == before[run] && text(runs[other]) != text(runs[run])) {
                names[run] = before[run] + ", " + text(runs[run]);
                break;
            }
}

/// "(2)" and so on behind every name that an earlier run has.
void numberTheRest(std::vector<std::string>& names)
{
    std::set<std::string> taken;
    for (std::string& name : names) {
        std::string candidate = name;
        for (int number = 2; taken.count(candidate) > 0; ++number)
            candidate = fmt::format("{} ({})", name, number);
        name = *taken.insert(candidate).first;
    }
}

} // namespace

std::vector<std::string> runNames(std::span<const RunSpec> runs)
{
    std::vector<Text> shown;
    for (const Text text : changesTheExperiment)
        if (std::any_of(runs.begin(), runs.end(),
                        [&](const RunSpec& run) { return text(run) != text(runs.front()); }))
            shown.push_back(text);

    std::vector<std::string> names;
    for (const RunSpec& run : runs) {
        std::string name = widthsText(run.hiddenWidths);
        if (isReduced(run.precision))
            name += ", " + precisionText(run);
        if (hasOwnName(runs, run))
            name = fmt::format("{} ({})", run.name, name);
        else
            for (const Text text : shown)
                name += ", " + text(run);
        names.push_back(std::move(name));
    }
    for (const Text text : repeatsTheExperiment)
        tellApart(runs, names, text);
    numberTheRest(names);
    return names;
}

} // namespace fullbatch
