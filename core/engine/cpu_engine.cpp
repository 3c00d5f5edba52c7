// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu_engine.h"

#include "core/engine/cpu/batch_pass.h"
#include "core/engine/cpu/descent.h"
#include "core/engine/cpu/gradient_pass.h"
#include "core/engine/peak_flops.h"
#include "core/engine/precision_names.h"
#include "core/engine/problem_check.h"

#include <cmath>
#include <fstream>

namespace fullbatch {

namespace {

constexpr std::array supportedPrecisions = {Precision::Fp32, Precision::Tf32, Precision::Bf16,
                                            Precision::Fp16};

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
          m_kernels(tileKernels()),
          m_network(problem.initial.shape(), m_kernels.lanes),
          m_tiling(problem.initial.shape()),
          m_team(teamSize(problem, m_tiling)),
          m_trainRows(problem.data->train, m_network.layers().front().inputStride,
                      problem.precision),
          m_testRows(problem.data->test, m_network.layers().front().inputStride, problem.precision),
          m_pass(m_network, m_kernels, m_tiling, m_team, m_trainRows),
          m_descent(m_network, m_kernels, problem.initial.values(), problem.optimiser,
                    problem.precision),
          m_arithmetic("cpu " + std::string(precisionName(problem.precision)) + " " + m_kernels.name
                       + " tile " + std::to_string(m_tiling.tileRows()) + " groups "
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
    [[nodiscard]] const Split& trainSplit() const { return m_problem.data->train; }
    bool trainEpoch(const EpochBatches& batches, double rate, EpochMetrics& record,
                    const std::stop_token& stop);
    bool trainMiniBatches(const EpochBatches& batches, double rate, EpochMetrics& record,
                          const std::stop_token& stop);
    double stepAlongPartials(std::size_t rows, double rate, bool finite);
    double stepAlongSmallBatch(std::size_t rows, double rate, bool finite);
    [[nodiscard]] EpochMetrics record(const LossSums& sums, double rate, double squares) const;
    [[nodiscard]] Parameters toParameters(std::span<const float> values) const;

    TrainingProblem m_problem;
    const TileKernels& m_kernels;
    PackedNetwork m_network;
    Tiling m_tiling;
    ThreadTeam m_team;
    PackedRows m_trainRows;
    PackedRows m_testRows;
    GradientPass m_pass;
    std::optional<BatchPass> m_batchPass; // made for the first small batches
    Descent m_descent;
    Descent::Saved m_epochStart; // with mini-batches: to return to when stopped
    Descent::Saved m_callStart; // in fp16: to return to when no loss scale helps
    std::uint64_t m_epoch = 0;
    std::string m_arithmetic;
};

std::size_t CpuEngine::train(const TrainingPlan& plan, std::span<EpochMetrics> records,
                             std::stop_token stop)
{
    const std::size_t rows = trainSplit().rows();
    checkPlan(plan, records.size(), rows);
    if (scalesLoss(m_problem.precision))
        m_descent.save(m_callStart);
    const std::uint64_t epochsBefore = m_epoch;
    for (std::size_t epoch = 0; epoch < records.size(); ++epoch) {
        if (!trainEpoch({plan, epoch, rows}, plan.learningRates[epoch], records[epoch], stop))
            return epoch;
        if (m_descent.lossScale().exhausted) {
            m_descent.comeBack(m_callStart);
            m_epoch = epochsBefore;
            throw lossScaleExhausted();
        }
        ++m_epoch;
        if (!std::isfinite(records[epoch].loss)) {
            m_descent.rollBack();
            return epoch + 1;
        }
    }
    return records.size();
}

/// False, with nothing changed, when stopped.
bool CpuEngine::trainEpoch(const EpochBatches& batches, double rate, EpochMetrics& metrics,
                           const std::stop_token& stop)
{
    if (!batches.full())
        return trainMiniBatches(batches, rate, metrics, stop);
    const std::size_t rows = trainSplit().rows();
    const std::optional<LossSums> sums =
        m_pass.run(m_descent.weights(rows), m_trainRows, batches[0],
                   GradientPass::Want::SumsAndGradient, stop);
    if (!sums)
        return false;
    metrics = record(*sums, rate, 0);
    const double squares = stepAlongPartials(rows, rate, std::isfinite(metrics.loss));
    metrics.gradientNorm = static_cast<float>(std::sqrt(squares));
    return true;
}

bool CpuEngine::trainMiniBatches(const EpochBatches& batches, double rate, EpochMetrics& metrics,
                                 const std::stop_token& stop)
{
    m_descent.save(m_epochStart);
    const std::size_t smallRows = std::min(batches[0].count, Tiling::mostBatchRows);
    if (!m_batchPass || !m_batchPass->takes(smallRows))
        m_batchPass.emplace(m_network, m_kernels, m_tiling, m_team, m_trainRows, smallRows);
    std::optional<LossSums> sums;
    double squares = 0; // of the batches' gradients
    bool finite = true;
    for (std::size_t i = 0; i < batches.size() && finite && !m_descent.lossScale().exhausted; ++i) {
        const RowSet rows = batches[i];
        const bool small = rows.count <= Tiling::mostBatchRows;
        sums = small ? m_batchPass->run(m_descent.weights(rows.count), rows, stop)
                     : m_pass.run(m_descent.weights(rows.count), m_trainRows, rows,
                                  GradientPass::Want::SumsAndGradient, stop);
        if (!sums)
            break;
        finite = std::isfinite(static_cast<float>(sums->loss));
        squares += small ? stepAlongSmallBatch(rows.count, rate, finite)
                         : stepAlongPartials(rows.count, rate, finite);
    }
    if (sums && finite)
        sums = m_pass.run(m_descent.weights(trainSplit().rows()), m_trainRows,
                          {{}, 0, trainSplit().rows()}, GradientPass::Want::Sums, stop);
    if (!sums) {
        m_descent.comeBack(m_epochStart);
        return false;
    }
    metrics = record(*sums, rate, squares / static_cast<double>(batches.size()));
    return true;
}

/// Only measures the gradient after a loss that is not finite. Returns the sum of its squares.
double CpuEngine::stepAlongPartials(std::size_t rows, double rate, bool finite)
{
    return finite ? m_descent.step(m_team, m_pass.partialGradients(), rows, rate)
                  : m_descent.measure(m_team, m_pass.partialGradients(), rows, nullptr);
}

double CpuEngine::stepAlongSmallBatch(std::size_t rows, double rate, bool finite)
{
    const auto gradientOf = [this](int member, const MasterPart& part) {
        return m_batchPass->gradientOf(member, part);
    };
    return finite ? m_descent.stepByParts(m_team, rows, rate, gradientOf)
                  : m_descent.measureByParts(m_team, rows, gradientOf);
}

EpochMetrics CpuEngine::record(const LossSums& sums, double rate, double squares) const
{
    const auto loss = static_cast<float>(sums.loss / static_cast<double>(trainSplit().rows()));
    return {loss, rate, sums.predictionDigest, sums.wrongRows,
            static_cast<float>(std::sqrt(squares))};
}

Evaluation CpuEngine::evaluate(SplitName name)
{
    const PackedRows& packed = name == SplitName::Train ? m_trainRows : m_testRows;
    const std::size_t rows = m_problem.data->split(name).rows();
    if (rows == 0)
        return {std::nan(""), 0, 0};
    const LossSums sums =
        *m_pass.run(m_descent.weights(rows), packed, {{}, 0, rows}, GradientPass::Want::Sums, {});
    const auto loss = static_cast<float>(sums.loss / static_cast<double>(rows));
    return {loss, sums.wrongRows, rows};
}

Eigen::MatrixXf CpuEngine::predict(const Eigen::MatrixXf& inputs)
{
    checkInputs(inputs, m_problem.initial.shape());
    return m_pass.predict(m_descent.weights(1), inputs);
}

Parameters CpuEngine::gradientAt(const Parameters& parameters, std::span<const std::uint32_t> rows)
{
    checkGradientArguments(parameters, rows, m_problem);
    const std::size_t count = rows.empty() ? trainSplit().rows() : rows.size();
    Descent at(m_network, m_kernels, parameters.values(), {}, m_problem.precision);
    AlignedFloats gradient(m_network.masterSize());
    double squares = 0;
    do {
        m_pass.run(at.weights(count), m_trainRows, {rows, 0, count},
                   GradientPass::Want::SumsAndGradient, {});
        squares = at.measure(m_team, m_pass.partialGradients(), count, gradient.data());
    } while (!std::isfinite(squares) && at.halveLossScale());
    Parameters result = m_problem.initial;
    m_network.unpack(gradient.data(), result.values());
    return result;
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
    const std::vector<float> parameters = m_descent.parameters();
    const std::vector<float> velocity = m_descent.velocity();
    state.parameters.assign(parameters.begin(), parameters.end());
    state.velocity.assign(velocity.begin(), velocity.end());
    setLossScale(state, m_descent.lossScale());
    return state;
}

void CpuEngine::restore(const EngineState& state)
{
    checkState(state, m_arithmetic, m_problem);
    const auto toFloat = [](double value) { return static_cast<float>(value); };
    std::vector<float> parameters(state.parameters.size());
    std::vector<float> velocity(state.velocity.size());
    std::transform(state.parameters.begin(), state.parameters.end(), parameters.begin(), toFloat);
    std::transform(state.velocity.begin(), state.velocity.end(), velocity.begin(), toFloat);
    m_descent.set(parameters, velocity, lossScaleOf(state));
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
        + (cores == 1 ? " core" : " cores") + ", " + tileKernels().name;
    choice.detail =
        "In tf32, bf16 and fp16 what products read is rounded to the format; products and "
        "sums are those of fp32.";
    choice.precisions = {supportedPrecisions.begin(), supportedPrecisions.end()};
    choice.create = makeCpuEngine;
    choice.measurePeak = [](int threads) {
        constexpr int rounds = 5;
        PeakLoop loop(threads);
        double best = 0;
        for (int round = 0; round < rounds; ++round)
            best = std::max(best, loop.round());
        return best;
    };
    return choice;
}

} // namespace fullbatch
