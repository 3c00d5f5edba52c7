// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/problem_check.h"

#include "core/engine/loss_scaling.h"
#include "core/engine/precision_names.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fullbatch {

namespace {

constexpr std::size_t maximumRows = std::numeric_limits<std::uint32_t>::max();

[[noreturn]] void refuse(const std::string& sentence)
{
    throw std::invalid_argument(sentence);
}

void checkSplit(const Split& split, const std::string& name, const NetworkShape& shape)
{
    const auto columns = static_cast<std::size_t>(split.inputs.cols());
    if (columns != split.rows()) {
        refuse("The " + name + " data have " + std::to_string(columns) + " rows of inputs but "
               + std::to_string(split.rows()) + " labels; there must be one label a row.");
    }
    if (split.rows() > maximumRows) {
        refuse("The " + name + " data have " + std::to_string(split.rows())
               + " rows; an engine holds at most " + std::to_string(maximumRows) + ".");
    }
    if (split.rows() > 0 && split.inputs.rows() != shape.inputs()) {
        refuse("The " + name + " data have " + std::to_string(split.inputs.rows())
               + " values a row, but the network " + shape.text() + " has "
               + std::to_string(shape.inputs()) + " inputs; they must be equal.");
    }
    for (std::size_t row = 0; row < split.rows(); ++row) {
        const std::int32_t label = split.labels[row];
        if (label < 0 || label >= shape.outputs()) {
            refuse("Row " + std::to_string(row) + " of the " + name + " data has the label "
                   + std::to_string(label) + "; with " + std::to_string(shape.outputs())
                   + " classes labels lie in 0 .. " + std::to_string(shape.outputs() - 1) + ".");
        }
    }
}

void checkPrecision(Precision precision, std::string_view engine,
                    std::span<const Precision> supported)
{
    if (std::find(supported.begin(), supported.end(), precision) != supported.end())
        return;
    std::string allowed;
    for (const Precision each : supported)
        allowed.append(allowed.empty() ? "" : ", ").append(precisionName(each));
    refuse("The engine " + std::string(engine) + " cannot compute in "
           + std::string(precisionName(precision)) + "; it knows " + allowed + ".");
}

void checkOptimiser(const Optimiser& optimiser)
{
    if (!(optimiser.momentum >= 0 && optimiser.momentum < 1)) {
        refuse("The momentum is " + std::to_string(optimiser.momentum)
               + "; it must be at least 0 and below 1.");
    }
    if (optimiser.nesterov && optimiser.momentum == 0)
        refuse("Nesterov's momentum is asked for without a momentum; it must be above 0.");
}

} // namespace

void checkProblem(const TrainingProblem& problem, std::string_view engine,
                  std::span<const Precision> supported)
{
    checkPrecision(problem.precision, engine, supported);
    if (!problem.data || problem.data->train.rows() == 0)
        refuse("There are no training rows; an engine needs at least 1.");
    const std::span<const float> start = problem.initial.values();
    if (start.empty())
        refuse("There are no start parameters; an engine takes its network's shape from them.");
    const auto bad = std::find_if_not(start.begin(), start.end(),
                                      [](float value) { return std::isfinite(value); });
    if (bad != start.end()) {
        refuse("Start parameter " + std::to_string(bad - start.begin())
               + " is not a finite number; every start parameter must be.");
    }
    const NetworkShape& shape = problem.initial.shape();
    if (problem.data->classes != shape.outputs()) {
        refuse("The data have " + std::to_string(problem.data->classes)
               + " classes, but the network " + shape.text() + " has "
               + std::to_string(shape.outputs()) + " outputs; they must be equal.");
    }
    checkSplit(problem.data->train, "training", shape);
    checkSplit(problem.data->test, "test", shape);
    checkOptimiser(problem.optimiser);
    if (problem.threads < 0) {
        refuse("The number of threads is " + std::to_string(problem.threads)
               + "; it must be at least 1, or 0 for every core.");
    }
}

void checkPlan(const TrainingPlan& plan, std::size_t epochs, std::size_t trainRows)
{
    if (plan.learningRates.size() != epochs) {
        refuse("The plan has " + std::to_string(plan.learningRates.size()) + " learning rates for "
               + std::to_string(epochs) + " epochs; there must be one an epoch.");
    }
    for (const double rate : plan.learningRates) {
        if (!std::isfinite(rate))
            refuse("A learning rate of the plan is not a finite number; every one must be.");
    }
    if (plan.batchOrder.empty())
        return;
    if (plan.batchOrder.size() != epochs * trainRows) {
        refuse("The batch order has " + std::to_string(plan.batchOrder.size()) + " rows for "
               + std::to_string(epochs) + " epochs of " + std::to_string(trainRows)
               + " rows; it must name each row of each epoch.");
    }
    for (const std::uint32_t row : plan.batchOrder) {
        if (row >= trainRows) {
            refuse("The batch order names row " + std::to_string(row)
                   + "; the training rows are 0 .. " + std::to_string(trainRows - 1) + ".");
        }
    }
}

void checkGradientArguments(const Parameters& parameters, std::span<const std::uint32_t> rows,
                            const TrainingProblem& problem)
{
    if (parameters.values().empty() || !(parameters.shape() == problem.initial.shape())) {
        refuse("The parameters are not those of the engine's network "
               + problem.initial.shape().text() + ".");
    }
    const std::size_t trainRows = problem.data->train.rows();
    for (const std::uint32_t row : rows) {
        if (row >= trainRows) {
            refuse("There is no training row " + std::to_string(row) + "; they are 0 .. "
                   + std::to_string(trainRows - 1) + ".");
        }
    }
}

void checkInputs(const Eigen::MatrixXf& inputs, const NetworkShape& shape)
{
    if (inputs.rows() != shape.inputs()) {
        refuse("The inputs have " + std::to_string(inputs.rows())
               + " values a row, but the network " + shape.text() + " has "
               + std::to_string(shape.inputs()) + " inputs; they must be equal.");
    }
}

void checkState(const EngineState& state, std::string_view arithmetic,
                const TrainingProblem& problem)
{
    if (state.arithmetic != arithmetic) {
        refuse("The state was computed as \"" + state.arithmetic
               + "\" and this engine computes as \"" + std::string(arithmetic)
               + "\"; only equal arithmetic continues bit for bit.");
    }
    const std::size_t count = problem.initial.values().size();
    const std::size_t velocities = problem.optimiser.momentum > 0 ? count : 0;
    if (state.parameters.size() != count || state.velocity.size() != velocities) {
        refuse("The state has " + std::to_string(state.parameters.size()) + " parameters and "
               + std::to_string(state.velocity.size()) + " velocities; this engine needs "
               + std::to_string(count) + " and " + std::to_string(velocities) + ".");
    }
    const double scale = state.lossScale;
    const bool scaled = scalesLoss(problem.precision);
    if (scaled ? !(scale >= smallestLossScale && scale <= largestLossScale) : scale != 1) {
        refuse("The state has the loss scale " + std::to_string(scale) + "; "
               + (scaled ? "fp16 allows 2^-14 to 2^60." : "only fp16 has another than 1."));
    }
}

} // namespace fullbatch
