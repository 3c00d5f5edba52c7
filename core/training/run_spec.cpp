// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/run_spec.h"

#include "core/training/fields/run_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fullbatch {

namespace {

bool inRange(const RunField& field, double value)
{
    return (field.aboveLeast ? value > field.least : value >= field.least)
        && (field.belowMost ? value < field.most : value <= field.most);
}

/// What is wrong with the value as such; empty when nothing is.
std::string rangeProblem(const RunField& field, const RunSpec& spec)
{
    const FieldValue value = field.get(spec);
    const double* real = std::get_if<double>(&value);
    const std::int64_t* whole = std::get_if<std::int64_t>(&value);
    const bool fits = real != nullptr ? inRange(field, *real)
        : whole != nullptr            ? inRange(field, static_cast<double>(*whole))
                                      : true;
    if (fits || field.allowed.empty())
        return {};
    return fmt::format("The {} is {}, but it must be {}.", field.noun,
                       real != nullptr ? fmt::format("{}", *real) : fmt::format("{}", *whole),
                       field.allowed);
}

} // namespace

std::vector<FieldProblem> problems(const RunSpec& spec)
{
    std::vector<FieldProblem> found;
    for (const RunField& field : runFields()) {
        std::string message = field.problem == nullptr ? std::string() : field.problem(spec);
        if (message.empty())
            message = rangeProblem(field, spec);
        if (!message.empty())
            found.push_back({&field, std::move(message)});
    }
    return found;
}

RunSpec withoutIdleFields(RunSpec spec)
{
    const RunSpec defaults;
    for (const RunField& field : runFields())
        if (!field.hasEffect(spec))
            field.set(spec, field.get(defaults));
    return spec;
}

NetworkShape networkShape(const RunSpec& spec, std::int64_t features, std::int64_t classes)
{
    return NetworkShape::mlp(features, spec.hiddenWidths, classes, spec.activation);
}

TrainingProblem trainingProblem(const RunSpec& spec, std::shared_ptr<const Dataset> data,
                                int threads)
{
    const NetworkShape shape = networkShape(spec, data->features(), data->classes);
    TrainingProblem problem;
    problem.data = std::move(data);
    problem.initial = initialParameters(shape, spec.seed, spec.initialisation);
    problem.optimiser = spec.optimiser;
    problem.precision = spec.precision;
    problem.threads = threads;
    return problem;
}

bool isFullBatch(const RunSpec& spec, std::size_t trainRows)
{
    return spec.batches.size == 0 || static_cast<std::size_t>(spec.batches.size) >= trainRows;
}

} // namespace fullbatch
