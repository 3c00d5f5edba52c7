// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/run_fields.h"

#include "core/engine/precision_names.h"
#include "core/network/activation_names.h"
#include "core/training/device_shares.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <utility>

namespace fullbatch {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr auto farthest = static_cast<double>(std::numeric_limits<std::int64_t>::max());
constexpr auto largestSeed = static_cast<double>(std::numeric_limits<std::uint32_t>::max());

/// Fills in what follows from the member that a field stands for: `Of` gives a reference to it.
class Table
{
public:
    template <typename Of>
    void add(Of, RunField field)
    {
        using Member = std::remove_cvref_t<decltype(Of{}(std::declval<RunSpec&>()))>;
        if constexpr (std::is_same_v<Member, bool>) {
            take<Of, bool>(FieldType::Flag, field);
        } else if constexpr (std::is_same_v<Member, double>) {
            take<Of, double>(FieldType::Real, field);
        } else if constexpr (std::is_same_v<Member, std::string>) {
            take<Of, std::string>(FieldType::Text, field);
        } else if constexpr (std::is_integral_v<Member>) {
            take<Of, std::int64_t>(FieldType::Whole, field);
            field.smallestStored = static_cast<std::int64_t>(std::numeric_limits<Member>::min());
            field.largestStored = static_cast<std::uint64_t>(std::numeric_limits<Member>::max());
        } else {
            take<Of, std::vector<std::int64_t>>(FieldType::Widths, field);
            field.smallestStored = std::numeric_limits<std::int64_t>::min();
            field.largestStored = std::numeric_limits<std::int64_t>::max();
        }
        m_fields.push_back(std::move(field));
    }

    /// A member of an enumeration whose values have names.
    template <const auto& names, typename Of>
    void addChoice(Of, RunField field)
    {
        using Member = std::remove_cvref_t<decltype(Of{}(std::declval<RunSpec&>()))>;
        using Names = std::span<const NamedValue<Member>>;
        field.type = FieldType::Choice;
        field.get = [](const RunSpec& spec) {
            return FieldValue(std::string(nameOf<Member>(Of{}(spec), Names(names))));
        };
        field.set = [](RunSpec& spec, const FieldValue& value) {
            Of{}(spec) = valueOf<Member>(std::get<std::string>(value), Names(names)).value();
        };
        for (const NamedValue<Member>& each : names)
            field.choices.push_back(each.name);
        m_fields.push_back(std::move(field));
    }

    [[nodiscard]] std::vector<RunField> take() { return std::move(m_fields); }

private:
    template <typename Of, typename Value>
    static void take(FieldType type, RunField& field)
    {
        using Member = std::remove_cvref_t<decltype(Of{}(std::declval<RunSpec&>()))>;
        field.type = type;
        field.get = [](const RunSpec& spec) { return FieldValue(static_cast<Value>(Of{}(spec))); };
        field.set = [](RunSpec& spec, const FieldValue& value) {
            Of{}(spec) = static_cast<Member>(std::get<Value>(value));
        };
    }

    std::vector<RunField> m_fields;
};

/// What Table::add() takes: a function that gives the member of a constant spec and of another.
#define FULLBATCH_MEMBER(path)                                                                     \
    [](auto& spec) -> auto&                                                                        \
    {                                                                                              \
        return spec.path;                                                                          \
    }

// Problems that a range does not cover.

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

std::string widthsProblem(const RunSpec& spec)
{
    constexpr double mostParameters = 0x1p60; // as float64 they fill the whole address space
    const std::vector<std::int64_t>& widths = spec.hiddenWidths;
    double parameters = 0;
    for (std::size_t layer = 0; layer < widths.size(); ++layer) {
        if (widths[layer] < 1)
            return fmt::format("Hidden layer {} has width {}, but a width must be at least 1.",
                               layer + 1, widths[layer]);
        const double inputs = layer == 0 ? 1 : static_cast<double>(widths[layer - 1]);
        parameters += (inputs + 1) * static_cast<double>(widths[layer]);
        if (parameters > mostParameters)
            return fmt::format(
                "Hidden layer {} with width {} makes the network larger than any memory; "
                "a network must have fewer than 2^60 parameters.",
                layer + 1, widths[layer]);
    }
    return {};
}

std::string rateProblem(const RunSpec& spec)
{
    const double rate = spec.learningRate;
    const bool doubles = spec.precision == Precision::Fp64;
    if (std::isinf(rate) && rate > 0)
        return fmt::format("The learning rate is too large; it must be a number above 0 and at "
                           "most {}, such as 0.0025.",
                           doubles ? "1.8e+308" : "3.4e+38");
    // Below, a step would be none at all; above, it would be infinite.
    if (!doubles && rate > 0
        && !(rate >= std::numeric_limits<float>::min()
             && rate <= std::numeric_limits<float>::max()))
        return fmt::format(
            "The learning rate is {}, but in float32 it must be from 1.2e-38 to 3.4e+38.", rate);
    return {};
}

std::string nesterovProblem(const RunSpec& spec)
{
    if (!spec.optimiser.nesterov || spec.optimiser.momentum != 0)
        return {};
    return "Nesterov's rule is on, but the momentum is 0; it must be above 0 for that rule.";
}

std::string engineProblem(const RunSpec& spec)
{
    if (!spec.engine.empty())
        return {};
    return "No engine is named; it must be one of the engine list, such as cpu.";
}

std::string precisionProblem(const RunSpec& spec)
{
    if (!precisionName(spec.precision).empty())
        return {};
    return fmt::format("The precision must be one of {}.", precisionNames());
}

std::string patienceProblem(const RunSpec& spec)
{
    if (spec.ends.testsWithoutGain <= 0 || spec.testEvery != 0)
        return {};
    return "The run is to end when its test error does not fall, but the test rows are never "
           "evaluated; the number of epochs between tests must be at least 1 for that.";
}

// When a field has an effect.

bool inBatches(const RunSpec& spec)
{
    return spec.batches.size > 0;
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

bool stepsDown(const RunSpec& spec)
{
    return spec.schedule.kind == ScheduleKind::Step;
}

// What a run's name says.

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

std::string rateName(const RunSpec& spec)
{
    return fmt::format("rate {}", spec.learningRate);
}

std::string batchName(const RunSpec& spec)
{
    return spec.batches.size == 0 ? "full batch" : fmt::format("batch {}", spec.batches.size);
}

std::string epochsName(const RunSpec& spec)
{
    return fmt::format("{} epochs", spec.epochs);
}

std::string threadsName(const RunSpec& spec)
{
    return spec.threads == 0 ? std::string("all threads") : fmt::format("{} threads", spec.threads);
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

template <typename Of>
std::string plainName(const RunSpec& spec)
{
    return Of{}(spec);
}

std::string stepName(const RunSpec& spec)
{
    return fmt::format("step every {}", spec.schedule.stepEpochs);
}

void addData(Table& table)
{
    table.add(FULLBATCH_MEMBER(data.file),
              {.group = FieldGroup::Data,
               .naming = Naming::Experiment,
               .key = "data.file",
               .option = "--data",
               .label = "&Data",
               .noun = "data",
               .allowed = "mnist1d, or the name of a file",
               .help = "mnist1d (generated), or a data file",
               .problem = recipeProblem,
               .nameText = dataName});
    const auto recipe = [&](auto member, std::string_view key) {
        table.add(member,
                  {.key = key, .least = -infinity, .most = infinity, .matters = isGenerated});
    };
    recipe(FULLBATCH_MEMBER(data.recipe.samples), "data.recipe.samples");
    recipe(FULLBATCH_MEMBER(data.recipe.trainFraction), "data.recipe.trainFraction");
    recipe(FULLBATCH_MEMBER(data.recipe.minimumPadding), "data.recipe.minimumPadding");
    recipe(FULLBATCH_MEMBER(data.recipe.maximumPadding), "data.recipe.maximumPadding");
    recipe(FULLBATCH_MEMBER(data.recipe.scale), "data.recipe.scale");
    recipe(FULLBATCH_MEMBER(data.recipe.maximumTranslation), "data.recipe.maximumTranslation");
    recipe(FULLBATCH_MEMBER(data.recipe.correlatedNoise), "data.recipe.correlatedNoise");
    recipe(FULLBATCH_MEMBER(data.recipe.independentNoise), "data.recipe.independentNoise");
    recipe(FULLBATCH_MEMBER(data.recipe.shear), "data.recipe.shear");
    recipe(FULLBATCH_MEMBER(data.recipe.length), "data.recipe.length");
    recipe(FULLBATCH_MEMBER(data.recipe.seed), "data.recipe.seed");
    table.add(FULLBATCH_MEMBER(data.sha256), {.key = "data.sha256", .problem = sha256Problem});
}

void addCorruption(Table& table)
{
    table.add(FULLBATCH_MEMBER(data.corruption.permutedLabels),
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
    table.add(FULLBATCH_MEMBER(data.corruption.randomInputs),
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
    table.add(FULLBATCH_MEMBER(data.corruption.randomLabelPercent),
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
    table.add(FULLBATCH_MEMBER(data.corruption.seed),
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

void addNetwork(Table& table)
{
    table.add(FULLBATCH_MEMBER(hiddenWidths),
              {.group = FieldGroup::Network,
               .key = "hiddenWidths",
               .option = "--widths",
               .label = "Layer &widths",
               .noun = "widths",
               .allowed = "a list of whole numbers from 1 up with commas between them, such as "
                          "63,63,63,63",
               .help = "Units of each hidden layer: 63,63,63,63",
               .problem = widthsProblem});
    table.addChoice<activationNames>(
        FULLBATCH_MEMBER(activation),
        {.group = FieldGroup::Network,
         .naming = Naming::Experiment,
         .key = "activation",
         .option = "--activation",
         .label = "Acti&vation",
         .noun = "activation",
         .help = "Of every hidden unit; default relu",
         .tip = "What every hidden unit does with its sum. Leaky ReLU has the slope 0.01 below 0, "
                "GELU is the exact one.",
         .matters = [](const RunSpec& spec) { return !spec.hiddenWidths.empty(); },
         .nameText = plainName<decltype([](const RunSpec& spec) {
             return std::string(nameOf<LayerKind>(spec.activation, activationNames));
         })>});
    table.addChoice<initialisationNames>(
        FULLBATCH_MEMBER(initialisation),
        {.group = FieldGroup::Network,
         .naming = Naming::Experiment,
         .key = "initialisation",
         .option = "--initialisation",
         .label = "&Initial weights",
         .noun = "initialisation",
         .help = "Of the weights; default he-uniform",
         .tip = "How the start weights are drawn, bit for bit as PyTorch does it with this seed. "
                "Zero shows why they must differ.",
         .rare = true,
         .nameText = plainName<decltype([](const RunSpec& spec) {
             return std::string(nameOf<Initialisation>(spec.initialisation, initialisationNames));
         })>});
}

void addDescent(Table& table)
{
    table.add(FULLBATCH_MEMBER(learningRate),
              {.group = FieldGroup::Descent,
               .naming = Naming::Experiment,
               .key = "learningRate",
               .option = "--learning-rate",
               .label = "Learning &rate",
               .noun = "learning rate",
               .allowed = "a finite number above 0, such as 0.0025",
               .help = "Default 0.0025",
               .tip = "How far a step goes along the gradient.",
               .least = 0,
               .most = infinity,
               .aboveLeast = true,
               .problem = rateProblem,
               .nameText = rateName});
    table.addChoice<scheduleNames>(
        FULLBATCH_MEMBER(schedule.kind),
        {.group = FieldGroup::Descent,
         .naming = Naming::Experiment,
         .key = "schedule",
         .option = "--schedule",
         .label = "S&chedule",
         .noun = "schedule",
         .help = "How the learning rate changes; default constant",
         .tip =
             "Constant; step: times a factor every so many epochs; cosine: down to 0 at the end.",
         .nameText = plainName<decltype([](const RunSpec& spec) {
             return "schedule "
                 + std::string(nameOf<ScheduleKind>(spec.schedule.kind, scheduleNames));
         })>});
    table.add(FULLBATCH_MEMBER(schedule.stepEpochs),
              {.group = FieldGroup::Descent,
               .naming = Naming::Experiment,
               .key = "stepEpochs",
               .option = "--step-every",
               .label = "Step every",
               .noun = "number of epochs between two steps of the schedule",
               .allowed = "a whole number of epochs from 1 up, such as 20",
               .help = "Schedule step: epochs from one change of the rate to the next; default 20",
               .tip = "Epochs from one change of the learning rate to the next.",
               .least = 1,
               .most = farthest,
               .matters = stepsDown,
               .nameText = stepName});
    table.add(FULLBATCH_MEMBER(schedule.stepFactor),
              {.group = FieldGroup::Descent,
               .naming = Naming::Experiment,
               .key = "stepFactor",
               .option = "--step-factor",
               .label = "Step factor",
               .noun = "factor of the schedule",
               .allowed = "a number above 0 and at most 1, such as 0.5",
               .help = "Schedule step: what the rate is multiplied by; default 0.5",
               .tip = "What the learning rate is multiplied by at each step.",
               .least = 0,
               .most = 1,
               .aboveLeast = true,
               .matters = stepsDown});
    table.add(FULLBATCH_MEMBER(schedule.warmUpEpochs),
              {.group = FieldGroup::Descent,
               .naming = Naming::Experiment,
               .key = "warmUpEpochs",
               .option = "--warm-up",
               .label = "Warm-up epochs",
               .noun = "number of warm-up epochs",
               .allowed = "a whole number of epochs, or 0 for none",
               .help = "Epochs in which the rate rises to its full height; default 0",
               .tip = "Epochs in which the learning rate rises in equal steps to its full height, "
                      "before the schedule begins.",
               .rare = true,
               .least = 0,
               .most = farthest});
    table.add(FULLBATCH_MEMBER(optimiser.momentum),
              {.group = FieldGroup::Descent,
               .naming = Naming::Experiment,
               .key = "momentum",
               .option = "--momentum",
               .label = "Mo&mentum",
               .noun = "momentum",
               .allowed = "a number from 0 up and less than 1, such as 0.9",
               .help = "0 up to but not 1; default 0",
               .tip = "How much of the last step's direction is kept.",
               .least = 0,
               .most = 1,
               .belowMost = true});
    table.add(FULLBATCH_MEMBER(optimiser.nesterov),
              {.group = FieldGroup::Descent,
               .naming = Naming::Experiment,
               .key = "nesterov",
               .option = "--nesterov",
               .label = "&Nesterov",
               .noun = "Nesterov",
               .help = "Nesterov's rule for the momentum",
               .tip = "Looks ahead along the momentum (Nesterov's rule).",
               .problem = nesterovProblem,
               .matters = [](const RunSpec& spec) { return spec.optimiser.momentum != 0; }});
    table.add(FULLBATCH_MEMBER(batches.size),
              {.group = FieldGroup::Descent,
               .naming = Naming::Experiment,
               .key = "batchSize",
               .option = "--batch-size",
               .label = "&Batch size",
               .noun = "batch size",
               .allowed = "full, or a whole number of rows from 1 up, such as 100",
               .help = "Rows of one step, or full: every training row in each; default full",
               .tip = "Training rows of one step. “full” takes all of them in each; with fewer "
                      "the error is measured over all rows after each epoch.",
               .zero = "full",
               .least = 0,
               .most = farthest,
               .nameText = batchName});
    table.add(FULLBATCH_MEMBER(batches.shuffled),
              {.group = FieldGroup::Descent,
               .naming = Naming::Experiment,
               .key = "shuffle",
               .option = "--shuffle",
               .label = "Shu&ffle",
               .noun = "shuffling",
               .help = "The rows in another order each epoch, as PyTorch draws it from the seed",
               .tip = "Takes the rows in another order each epoch, drawn from the seed as "
                      "PyTorch's RandomSampler does it; off: in the order of the file.",
               .matters = inBatches});
    table.add(FULLBATCH_MEMBER(batches.dropLast),
              {.group = FieldGroup::Descent,
               .naming = Naming::Experiment,
               .key = "dropLast",
               .option = "--drop-last",
               .label = "Drop last batch",
               .noun = "dropping of the last batch",
               .help = "Leave out an epoch's last batch when it is shorter",
               .tip = "Leaves out an epoch's last batch when it has fewer rows than the others.",
               .rare = true,
               .matters = inBatches});
}

void addLength(Table& table)
{
    table.add(FULLBATCH_MEMBER(epochs),
              {.group = FieldGroup::Length,
               .naming = Naming::Repeat,
               .key = "epochs",
               .option = "--epochs",
               .label = "E&pochs",
               .noun = "number of epochs",
               .allowed = "a whole number from 1 to 1,000,000,000",
               .help = "Default 200000",
               .tip = "How often every training row is used.",
               .least = 1,
               .most = static_cast<double>(RunSpec::maximumEpochs),
               .nameText = epochsName});
    table.add(FULLBATCH_MEMBER(seed),
              {.group = FieldGroup::Length,
               .naming = Naming::Repeat,
               .key = "seed",
               .option = "--seed",
               .label = "See&d",
               .noun = "seed",
               .allowed = "a whole number from 0 to 4,294,967,295",
               .help = "Of start weights and batch order, as torch.manual_seed; default 1",
               .tip = "The seed of the start weights and the batch order: the same seed gives the "
                      "same run.",
               .least = 0,
               .most = largestSeed});
    table.add(FULLBATCH_MEMBER(testEvery),
              {.group = FieldGroup::Length,
               .key = "testEvery",
               .option = "--test-every",
               .label = "&Test every",
               .noun = "number of epochs between two tests",
               .allowed = "a whole number of epochs from 1 up, or 0 for never",
               .help = "Evaluate the test rows every so many epochs; default 0, never",
               .tip = "Measures the test rows every so many epochs; 0 means never.",
               .least = 0,
               .most = farthest});
}

void addEnds(Table& table)
{
    table.add(FULLBATCH_MEMBER(ends.zeroErrorEpochs),
              {.group = FieldGroup::Ends,
               .key = "stopAfterZeroErrorEpochs",
               .option = "--stop-zero-error",
               .label = "End at zero error for",
               .noun = "number of epochs without an error",
               .allowed = "a whole number of epochs from 1 up, or 0 to go on",
               .help = "End after so many epochs in a row without a wrong row; default 0, go on",
               .tip = "Ends the run after so many epochs in a row without a wrong training row; 0: "
                      "go on.",
               .rare = true,
               .least = 0,
               .most = farthest});
    table.add(FULLBATCH_MEMBER(ends.errorPercent),
              {.group = FieldGroup::Ends,
               .key = "stopAtErrorPercent",
               .option = "--stop-error",
               .label = "End at error, %",
               .noun = "training error to end at",
               .allowed = "a number of percent from 0 to 100, 0 to go on, such as 1.5",
               .help = "End when the training error is so many percent or less; default 0, go on",
               .tip = "Ends the run when the training error is so many percent or less; 0: go on.",
               .rare = true,
               .least = 0,
               .most = 100});
    table.add(FULLBATCH_MEMBER(ends.testsWithoutGain),
              {.group = FieldGroup::Ends,
               .key = "stopAfterTestsWithoutGain",
               .option = "--stop-tests",
               .label = "End after tests without gain",
               .noun = "number of tests without gain",
               .allowed = "a whole number of tests from 1 up, or 0 to go on",
               .help = "End after so many tests in a row without a new lowest test error; "
                       "default 0, go on",
               .tip = "Ends the run after so many tests in a row that gave no new lowest test "
                      "error; 0: go on.",
               .rare = true,
               .least = 0,
               .most = farthest,
               .problem = patienceProblem,
               .matters = [](const RunSpec& spec) { return spec.testEvery != 0; }});
    table.add(FULLBATCH_MEMBER(ends.seconds),
              {.group = FieldGroup::Ends,
               .key = "stopAfterSeconds",
               .option = "--stop-seconds",
               .label = "End after seconds",
               .noun = "time limit",
               .allowed = "a finite number of seconds above 0, or 0 for no limit",
               .help = "End after so many seconds of training; default 0, no limit",
               .tip = "Ends the run after so many seconds of training, pauses left out; 0: no "
                      "limit.",
               .rare = true,
               .least = 0,
               .most = infinity,
               .belowMost = true});
}

void addEngine(Table& table)
{
    table.add(FULLBATCH_MEMBER(engine),
              {.group = FieldGroup::Engine,
               .naming = Naming::Repeat,
               .key = "engine",
               .option = "--engine",
               .label = "En&gine",
               .noun = "engine",
               .help = "cpu, gpu, gpu:1, ... or reference; see fullbatch devices",
               .problem = engineProblem,
               .nameText = plainName<decltype([](const RunSpec& spec) { return spec.engine; })>});
    table.addChoice<namedPrecisions>(
        FULLBATCH_MEMBER(precision),
        {.group = FieldGroup::Engine,
         .naming = Naming::Repeat,
         .key = "precision",
         .option = "--precision",
         .label = "Precision",
         .noun = "precision",
         .help = "Of the products' inputs: fp32, tf32, bf16 or fp16; default the engine's first",
         .problem = precisionProblem,
         .nameText = plainName<decltype(
             [](const RunSpec& spec) { return std::string(precisionName(spec.precision)); })>});
    table.add(FULLBATCH_MEMBER(threads),
              {.group = FieldGroup::Engine,
               .naming = Naming::Repeat,
               .key = "threads",
               .option = "--threads",
               .label = "T&hreads",
               .noun = "number of threads",
               .allowed = "a whole number from 1 to 1024, or 0 for every core",
               .help = "At most so many; default every core",
               .least = 0,
               .most = 1024,
               .matters = [](const RunSpec& spec) { return !isGpu(spec.engine); },
               .nameText = threadsName});
}

std::vector<RunField> makeFields()
{
    Table table;
    table.add(
        FULLBATCH_MEMBER(name),
        {.key = "name", .option = "--name", .noun = "name", .help = "What the run is called"});
    addData(table);
    addCorruption(table);
    addNetwork(table);
    addDescent(table);
    addLength(table);
    addEnds(table);
    addEngine(table);
    return table.take();
}

#undef FULLBATCH_MEMBER

} // namespace

std::span<const RunField> runFields()
{
    static const std::vector<RunField> fields = makeFields();
    return fields;
}

const RunField& runField(std::string_view key)
{
    for (const RunField& field : runFields())
        if (field.key == key)
            return field;
    throw std::logic_error("There is no field of a run called " + std::string(key) + ".");
}

std::string valueText(const RunField& field, const RunSpec& spec)
{
    const FieldValue value = field.get(spec);
    if (const bool* flag = std::get_if<bool>(&value))
        return *flag ? "on" : "off";
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return *whole == 0 && !field.zero.empty() ? std::string(field.zero)
                                                  : fmt::format("{}", *whole);
    if (const double* real = std::get_if<double>(&value))
        return fmt::format("{}", *real);
    if (const auto* widths = std::get_if<std::vector<std::int64_t>>(&value))
        return widthsText(*widths);
    return std::get<std::string>(value);
}

} // namespace fullbatch
