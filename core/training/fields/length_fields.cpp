// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/fields/field_table.h"

#include <fmt/format.h>

namespace fullbatch {

namespace {

std::string patienceProblem(const RunSpec& spec)
{
    if (spec.ends.testsWithoutGain <= 0 || spec.testEvery != 0)
        return {};
    return "The run is to end when its test error does not fall, but the test rows are never "
           "evaluated; the number of epochs between tests must be at least 1 for that.";
}

std::string epochsName(const RunSpec& spec)
{
    return fmt::format("{} epochs", spec.epochs);
}

void addLength(FieldTable& table)
{
    table.add<&RunSpec::epochs>({.group = FieldGroup::Length,
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
    table.add<&RunSpec::seed>(
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
    table.add<&RunSpec::testEvery>(
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

void addEnds(FieldTable& table)
{
    table.add<&RunSpec::ends, &EarlyEnds::zeroErrorEpochs>(
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
    table.add<&RunSpec::ends, &EarlyEnds::errorPercent>(
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
    table.add<&RunSpec::ends, &EarlyEnds::testsWithoutGain>(
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
    table.add<&RunSpec::ends, &EarlyEnds::seconds>(
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

} // namespace

void addLengthFields(FieldTable& table)
{
    addLength(table);
    addEnds(table);
}

} // namespace fullbatch
