// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/fields/field_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace fullbatch {

namespace {

std::string sha256Problem(const RunSpec& spec)
{
    const std::string& text = spec.data.sha256;
    const auto isHexDigit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    if (text.empty() || (text.size() == 64 && std::all_of(text.begin(), text.end(), isHexDigit)))
        return {};
    return fmt::format(
        "The SHA-256 of the data must be 64 digits 0-9 and a-f, or empty, but is \"{}\".", text);
}

std::string recipeProblem(const RunSpec& spec)
{
    return spec.data.file.empty() ? problem(spec.data.recipe) : std::string();
}

bool isSpoilt(const RunSpec& spec)
{
    const Corruption& corruption = spec.data.corruption;
    return corruption.permutedLabels || corruption.randomInputs
        || corruption.randomLabelPercent != 0;
}

bool isGenerated(const RunSpec& spec)
{
    return spec.data.file.empty();
}

std::string dataName(const RunSpec& spec)
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

std::string permutedName(const RunSpec& spec)
{
    return spec.data.corruption.permutedLabels ? "permuted labels" : "true labels";
}

std::string randomInputsName(const RunSpec& spec)
{
    return spec.data.corruption.randomInputs ? "random inputs" : "true inputs";
}

std::string randomLabelsName(const RunSpec& spec)
{
    return fmt::format("{} % random labels", spec.data.corruption.randomLabelPercent);
}

template <auto member>
void addRecipe(FieldTable& table, std::string_view key)
{
    table.add<&RunSpec::data, &DataSpec::recipe, member>(
        {.key = key, .least = -infinity, .most = infinity, .matters = isGenerated});
}

void addSource(FieldTable& table)
{
    table.add<&RunSpec::data, &DataSpec::file>({.group = FieldGroup::Data,
                                                .naming = Naming::Experiment,
                                                .key = "data.file",
                                                .option = "--data",
                                                .label = "&Data",
                                                .noun = "data",
                                                .allowed = "mnist1d, or the name of a file",
                                                .help = "mnist1d (generated), or a data file",
                                                .problem = recipeProblem,
                                                .nameText = dataName});
    addRecipe<&Mnist1dRecipe::samples>(table, "data.recipe.samples");
    addRecipe<&Mnist1dRecipe::trainFraction>(table, "data.recipe.trainFraction");
    addRecipe<&Mnist1dRecipe::minimumPadding>(table, "data.recipe.minimumPadding");
    addRecipe<&Mnist1dRecipe::maximumPadding>(table, "data.recipe.maximumPadding");
    addRecipe<&Mnist1dRecipe::scale>(table, "data.recipe.scale");
    addRecipe<&Mnist1dRecipe::maximumTranslation>(table, "data.recipe.maximumTranslation");
    addRecipe<&Mnist1dRecipe::correlatedNoise>(table, "data.recipe.correlatedNoise");
    addRecipe<&Mnist1dRecipe::independentNoise>(table, "data.recipe.independentNoise");
    addRecipe<&Mnist1dRecipe::shear>(table, "data.recipe.shear");
    addRecipe<&Mnist1dRecipe::length>(table, "data.recipe.length");
    addRecipe<&Mnist1dRecipe::seed>(table, "data.recipe.seed");
    table.add<&RunSpec::data, &DataSpec::sha256>({.key = "data.sha256", .problem = sha256Problem});
}

void addCorruption(FieldTable& table)
{
    table.add<&RunSpec::data, &DataSpec::corruption, &Corruption::permutedLabels>(
        {.group = FieldGroup::Data,
         .naming = Naming::Experiment,
         .key = "data.permutedLabels",
         .option = "--permuted-labels",
         .label = "Permuted labels",
         .noun = "permutation of the labels",
         .help = "The training labels in a random order",
         .tip = "Gives the training labels to the rows in a random order: there is nothing "
                "left to learn but the rows themselves.",
         .rare = true,
         .nameText = permutedName});
    table.add<&RunSpec::data, &DataSpec::corruption, &Corruption::randomInputs>(
        {.group = FieldGroup::Data,
         .naming = Naming::Experiment,
         .key = "data.randomInputs",
         .option = "--random-inputs",
         .label = "Random inputs",
         .noun = "replacement of the inputs",
         .help = "Training inputs replaced by noise of the same mean and variance",
         .tip = "Replaces the training inputs by noise of the same mean and variance.",
         .rare = true,
         .nameText = randomInputsName});
    table.add<&RunSpec::data, &DataSpec::corruption, &Corruption::randomLabelPercent>(
        {.group = FieldGroup::Data,
         .naming = Naming::Experiment,
         .key = "data.randomLabelPercent",
         .option = "--random-labels",
         .label = "Random labels, %",
         .noun = "share of random labels",
         .allowed = "a number of percent from 0 to 100, such as 30",
         .help = "So many percent of the training rows get a random label; default 0",
         .tip = "So many percent of the training rows, chosen at random, get a random label.",
         .rare = true,
         .least = 0,
         .most = 100,
         .nameText = randomLabelsName});
    table.add<&RunSpec::data, &DataSpec::corruption, &Corruption::seed>(
        {.group = FieldGroup::Data,
         .naming = Naming::Experiment,
         .key = "data.corruptionSeed",
         .option = "--corruption-seed",
         .label = "Seed of these",
         .noun = "seed of the random labels and inputs",
         .allowed = "a whole number from 0 to 4,294,967,295",
         .help = "Of the permuted or random labels and the random inputs; default 0",
         .tip = "The same seed spoils the data in the same way.",
         .rare = true,
         .least = 0,
         .most = largestSeed,
         .matters = isSpoilt});
}

} // namespace

void addDataFields(FieldTable& table)
{
    addSource(table);
    addCorruption(table);
}

} // namespace fullbatch
