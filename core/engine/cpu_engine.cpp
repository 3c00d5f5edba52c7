// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu_engine.h"

#include "core/engine/descent.h"
#include "core/engine/gradient_pass.h"
#include "core/engine/problem_check.h"

#include <cmath>
#include <fstream>

namespace fullbatch {

namespace {

constexpr std::array supportedPrecisions = {Precision::Fp32};

/// Throws for a problem that an engine cannot hold, before anything is made from it.
const TrainingProblem& checked(const TrainingProblem& problem)
{
    checkProblem(problem, "cpu", supportedPrecisions);
    return problem;
}

/// No more threads than there are groups of tiles to share.
int teamSize(const TrainingProblem& problem, const Tiling& tiling)
{
    const std::size_t rows = std::max(problem.data->train.rows(), problem.data->test.rows());
    const int wanted = problem.threads > 0 ? problem.threads : usableCores();
    return std::min(wanted, static_cast<int>(tiling.groups(rows)));
}

class CpuEngine final : public TrainingEngine
{
public:
    explicit CpuEngine(const TrainingProblem& problem)
        : m_problem(checked(problem)),
          m_tiling(problem.initial.shape()),
          m_team(teamSize(problem, m_tiling)),
          m_pass(problem.initial, m_tiling, m_team),
          m_descent(problem.initial.values(), problem.momentum),
          m_arithmetic("cpu fp32 " + std::string(tileProductsName()) + " tile "
                       + std::to_string(m_tiling.tileRows()) + " groups "
                       + std::to_string(m_tiling.maximumGroups()))
    {
    }

    std::size_t train(const TrainingPlan& plan, std::span<EpochMetrics> records,
                      std::stop_token stop) override;
    Evaluation evaluate(SplitName split) override;
    Eigen::MatrixXf predict(const Eigen::MatrixXf& inputs) override;
    Parameters gradientAt(const Parameters& parameters,
                          std::span<const std::uint32_t> rows) override;
    Parameters parameters() override { return toParameters(m_descent.lastFiniteParameters()); }
    EngineState state() override;
    void restore(const EngineState& state) override;

private:
    [[nodiscard]] const float* current() const { return m_descent.parameters().data(); }
    [[nodiscard]] const Split& trainSplit() const { return m_problem.data->train; }
    bool trainEpoch(const EpochBatches& batches, double rate, EpochMetrics& record,
                    const std::stop_token& stop);
    double epochGradientSquares(const EpochBatches& batches, std::size_t batch, double squares);
    [[nodiscard]] Parameters toParameters(std::span<const float> values) const;

    TrainingProblem m_problem;
    Tiling m_tiling;
    ThreadTeam m_team;
    GradientPass m_pass;
    Descent m_descent;
    std::optional<Descent> m_epochStart; // with mini-batches: to return to when stopped
    std::vector<float> m_epochGradient; // with mini-batches: mean over the epoch so far
    std::uint64_t m_epoch = 0;
    std::string m_arithmetic;
};

std::size_t CpuEngine::train(const TrainingPlan& plan, std::span<EpochMetrics> records,
                             std::stop_token stop)
{
    const std::size_t rows = trainSplit().rows();
    checkPlan(plan, records.size(), rows);
    for (std::size_t epoch = 0; epoch < records.size(); ++epoch) {
        if (!trainEpoch({plan, epoch, rows}, plan.learningRates[epoch], records[epoch], stop))
            return epoch;
        ++m_epoch;
        if (!std::isfinite(records[epoch].loss)) {
            m_descent.rollBack();
            return epoch + 1;
        }
    }
    return records.size();
}

/// False, with nothing changed, when stopped.
bool CpuEngine::trainEpoch(const EpochBatches& batches, double rate, EpochMetrics& record,
                           const std::stop_token& stop)
{
    if (batches.size() > 1)
        m_epochStart = m_descent;
    TrainingSums epoch;
    double squares = 0;
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const RowSet rows = batches[i];
        const std::optional<TrainingSums> sums =
            m_pass.run(current(), trainSplit(), rows, GradientPass::Want::SumsAndGradient, stop);
        if (!sums) {
            if (i > 0)
                m_descent = *m_epochStart;
            return false;
        }
        epoch += *sums;
        squares = m_descent.addGradient(m_team, m_pass.partialGradients(),
                                        1 / static_cast<double>(rows.count));
        if (batches.size() > 1)
            squares = epochGradientSquares(batches, i, squares);
        if (std::isfinite(static_cast<float>(epoch.loss))) // afterwards only measure
            m_descent.step(m_team, rate);
    }
    const auto loss = static_cast<float>(epoch.loss / static_cast<double>(trainSplit().rows()));
    record = {loss, rate, epoch.predictionDigest, epoch.wrongRows,
              static_cast<float>(std::sqrt(squares))};
    return true;
}

/// Adds the batch's part to the epoch's mean gradient and returns the sum of that one's squares.
double CpuEngine::epochGradientSquares(const EpochBatches& batches, std::size_t batch,
                                       double squares)
{
    const std::span<const float> gradient = m_descent.gradient();
    const auto part = static_cast<float>(static_cast<double>(batches[batch].count)
                                         / static_cast<double>(trainSplit().rows()));
    m_epochGradient.resize(gradient.size());
    if (batch == 0)
        std::fill(m_epochGradient.begin(), m_epochGradient.end(), 0.0F);
    for (std::size_t i = 0; i < gradient.size(); ++i)
        m_epochGradient[i] += part * gradient[i];
    if (batch + 1 < batches.size())
        return squares;
    squares = 0;
    for (const float value : m_epochGradient)
        squares += static_cast<double>(value) * static_cast<double>(value);
    return squares;
}

Evaluation CpuEngine::evaluate(SplitName name)
{
    const Split& split = m_problem.data->split(name);
    if (split.rows() == 0)
        return {std::nan(""), 0, 0};
    const TrainingSums sums =
        *m_pass.run(current(), split, {{}, 0, split.rows()}, GradientPass::Want::Sums, {});
    const auto loss = static_cast<float>(sums.loss / static_cast<double>(split.rows()));
    return {loss, sums.wrongRows, split.rows()};
}

Eigen::MatrixXf CpuEngine::predict(const Eigen::MatrixXf& inputs)
{
    const NetworkShape& shape = m_problem.initial.shape();
    checkInputs(inputs, shape);
    return m_pass.predict(current(), inputs, shape.outputs());
}

Parameters CpuEngine::gradientAt(const Parameters& parameters, std::span<const std::uint32_t> rows)
{
    checkGradientArguments(parameters, rows, m_problem);
    const std::size_t count = rows.empty() ? trainSplit().rows() : rows.size();
    m_pass.run(parameters.values().data(), trainSplit(), {rows, 0, count},
               GradientPass::Want::SumsAndGradient, {});
    // The gradient is scratch between steps, so training is left untouched.
    m_descent.addGradient(m_team, m_pass.partialGradients(), 1 / static_cast<double>(count));
    return toParameters(m_descent.gradient());
}

Parameters CpuEngine::toParameters(std::span<const float> values) const
{
    Parameters parameters = m_problem.initial;
    std::copy(values.begin(), values.end(), parameters.values().begin());
    return parameters;
}

EngineState CpuEngine::state()
{
    EngineState state;
    state.arithmetic = m_arithmetic;
    state.epoch = m_epoch;
    const std::span<const float> parameters = m_descent.parameters();
    const std::span<const float> velocity = m_descent.velocity();
    state.parameters.assign(parameters.begin(), parameters.end());
    state.velocity.assign(velocity.begin(), velocity.end());
    return state;
}

void CpuEngine::restore(const EngineState& state)
{
    checkState(state, m_arithmetic, m_problem);
    m_descent.set(state.parameters, state.velocity);
    m_epoch = state.epoch;
}

/// As the system calls the processor; empty where it does not say.
std::string processorName()
{
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") && colon != std::string::npos)
            return line.substr(colon + 2);
    }
    return {};
}

} // namespace

std::unique_ptr<TrainingEngine> makeCpuEngine(const TrainingProblem& problem)
{
    return std::make_unique<CpuEngine>(problem);
}

EngineChoice cpuEngineChoice()
{
    const int cores = usableCores();
    const std::string name = processorName();
    EngineChoice choice;
    choice.id = "cpu";
    choice.description = "CPU: " + (name.empty() ? "" : name + ", ") + std::to_string(cores)
        + (cores == 1 ? " core" : " cores");
    choice.precisions = {supportedPrecisions.begin(), supportedPrecisions.end()};
    choice.create = makeCpuEngine;
    return choice;
}

} // namespace fullbatch
