// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/fields/field_table.h"

#include <fmt/format.h>

#include <cmath>

namespace fullbatch {

namespace {

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

bool inBatches(const RunSpec& spec)
{
    return spec.batches.size > 0;
}

bool stepsDown(const RunSpec& spec)
{
    return spec.schedule.kind == ScheduleKind::Step;
}

std::string rateName(const RunSpec& spec)
{
    return fmt::format("rate {}", spec.learningRate);
}

std::string batchName(const RunSpec& spec)
{
    return spec.batches.size == 0 ? "full batch" : fmt::format("batch {}", spec.batches.size);
}

std::string stepName(const RunSpec& spec)
{
    return fmt::format("step every {}", spec.schedule.stepEpochs);
}

} // namespace

void addDescentFields(FieldTable& table)
{
    table.add<&RunSpec::learningRate>({.group = FieldGroup::Descent,
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
    table.addChoice<scheduleNames, &RunSpec::schedule, &LearningRateSchedule::kind>(
        {.group = FieldGroup::Descent,
         .naming = Naming::Experiment,
         .key = "schedule",
         .option = "--schedule",
         .label = "S&chedule",
         .noun = "schedule",
         .help = "How the learning rate changes; default constant",
         .tip =
             "Constant; step: times a factor every so many epochs; cosine: down to 0 at the end.",
         .nameText = [](const RunSpec& spec) {
             return "schedule "
                 + std::string(nameOf<ScheduleKind>(spec.schedule.kind, scheduleNames));
         }});
    table.add<&RunSpec::schedule, &LearningRateSchedule::stepEpochs>(
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
    table.add<&RunSpec::schedule, &LearningRateSchedule::stepFactor>(
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
    table.add<&RunSpec::schedule, &LearningRateSchedule::warmUpEpochs>(
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
    table.add<&RunSpec::optimiser, &Optimiser::momentum>(
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
    table.add<&RunSpec::optimiser, &Optimiser::nesterov>(
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
    table.add<&RunSpec::batches, &Batches::size>(
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
    table.add<&RunSpec::batches, &Batches::shuffled>(
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
    table.add<&RunSpec::batches, &Batches::dropLast>(
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

} // namespace fullbatch
