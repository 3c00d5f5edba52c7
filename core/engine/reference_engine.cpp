// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reference_engine.h"

#include "core/engine/loss_scaling.h"
#include "core/engine/precision_names.h"
#include "core/engine/problem_check.h"
#include "core/engine/reference_network.h"
#include "core/engine/rounding.h"

#include <array>
#include <cmath>
#include <optional>

namespace fullbatch {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr std::array supportedPrecisions = {Precision::Fp64, Precision::Tf32, Precision::Bf16,
                                            Precision::Fp16};

/// Parameters and what moves them.
struct Position
{
    VectorXd parameters; ///< in the layout of Parameters
    VectorXd velocity; ///< empty without momentum
};

/// Where descent stands.
struct Progress
{
    Position now;
    Position before; ///< the last finite position before `now`
    LossScale lossScale;
    std::uint64_t epoch = 0;
};

/// Finite as parameters() gives them, that is in float32.
bool finite(const Position& position)
{
    return position.parameters.cast<float>().allFinite();
}

class ReferenceEngine final : public TrainingEngine
{
public:
    explicit ReferenceEngine(const TrainingProblem& problem);

    std::size_t train(const TrainingPlan& plan, std::span<EpochMetrics> records,
                      std::stop_token stop) override;
    Evaluation evaluate(SplitName split) override;
    Eigen::MatrixXf predict(const Eigen::MatrixXf& inputs) override;
    Parameters gradientAt(const Parameters& parameters,
                          std::span<const std::uint32_t> rows) override;
    Parameters parameters() override { return toParameters(lastFinite().parameters); }
    EngineState state() override;
    void restore(const EngineState& state) override;

private:
    bool trainEpoch(const EpochBatches& batches, double rate, EpochMetrics& record,
                    const std::stop_token& stop);
    [[nodiscard]] std::optional<VectorXd> meanGradient(const VectorXd& parameters,
                                                       const RowSet& rows, float lossScale,
                                                       ReferenceSums& sums,
                                                       const std::stop_token& stop) const;
    void step(const VectorXd& gradient, double rate);
    bool measure(const Split& split, ReferenceSums& sums, const std::stop_token& stop) const;
    [[nodiscard]] const Position& lastFinite() const
    {
        return finite(m_at.now) ? m_at.now : m_at.before;
    }
    [[nodiscard]] VectorXd asProductsRead(const VectorXd& parameters) const;
    [[nodiscard]] bool reduced() const { return roundsInputs(m_problem.precision); }
    [[nodiscard]] double reported(double loss) const
    {
        return reduced() ? static_cast<float>(loss) : loss;
    }
    [[nodiscard]] std::string arithmetic() const
    {
        return "reference " + std::string(precisionName(m_problem.precision));
    }
    [[nodiscard]] Parameters toParameters(const VectorXd& values) const;

    TrainingProblem m_problem;
    ReferenceNetwork m_network;
    Progress m_at;
};

VectorXd toFloat(const VectorXd& values)
{
    return values.cast<float>().cast<double>();
}

VectorXd toDouble(std::span<const float> values)
{
    return Eigen::Map<const Eigen::VectorXf>(values.data(), static_cast<Index>(values.size()))
        .cast<double>();
}

/// Throws for a problem that an engine cannot hold, before anything is made from it.
const TrainingProblem& checked(const TrainingProblem& problem)
{
    checkProblem(problem, "reference", supportedPrecisions);
    return problem;
}

ReferenceEngine::ReferenceEngine(const TrainingProblem& problem)
    : m_problem(checked(problem)),
      m_network(problem.initial, problem.precision)
{
    m_at.now.parameters = toDouble(problem.initial.values());
    if (problem.optimiser.momentum > 0)
        m_at.now.velocity = VectorXd::Zero(m_at.now.parameters.size());
    m_at.before = m_at.now;
    m_at.lossScale = startingLossScale(problem.precision);
}

VectorXd ReferenceEngine::asProductsRead(const VectorXd& parameters) const
{
    if (!reduced())
        return parameters;
    return parameters.unaryExpr([precision = m_problem.precision](double value) -> double {
        return roundedFor(precision, static_cast<float>(value));
    });
}

/// Adds the rows to `sums`. Nothing when stopped.
std::optional<VectorXd> ReferenceEngine::meanGradient(const VectorXd& parameters,
                                                      const RowSet& rows, float lossScale,
                                                      ReferenceSums& sums,
                                                      const std::stop_token& stop) const
{
    const bool scaled = scalesLoss(m_problem.precision);
    const MeanShares shares = meanShares(m_problem.precision, rows.count);
    const double deltaScale = scaled ? lossScale * shares.delta : 1;
    sums.gradient = VectorXd::Zero(parameters.size());
    if (!m_network.addRows(asProductsRead(parameters), m_problem.data->train, rows, deltaScale,
                           sums, stop))
        return std::nullopt;
    if (scaled)
        return toFloat(sums.gradient * (shares.gradient / lossScale));
    return sums.gradient / static_cast<double>(rows.count);
}

/// As meanGradient(), over a split and without a gradient.
bool ReferenceEngine::measure(const Split& split, ReferenceSums& sums,
                              const std::stop_token& stop) const
{
    return m_network.addRows(asProductsRead(m_at.now.parameters), split, {{}, 0, split.rows()}, 1,
                             sums, stop);
}

void ReferenceEngine::step(const VectorXd& gradient, double rate)
{
    Position& now = m_at.now;
    if (finite(now))
        m_at.before = now;
    const Optimiser& optimiser = m_problem.optimiser;
    if (optimiser.momentum > 0) {
        now.velocity = optimiser.momentum * now.velocity + gradient;
        if (optimiser.nesterov)
            now.parameters -= rate * (gradient + optimiser.momentum * now.velocity);
        else
            now.parameters -= rate * now.velocity;
    } else {
        now.parameters -= rate * gradient;
    }
    if (reduced()) {
        now.parameters = toFloat(now.parameters);
        now.velocity = toFloat(now.velocity);
    }
}

/// False, with nothing changed but m_at, when stopped.
bool ReferenceEngine::trainEpoch(const EpochBatches& batches, double rate, EpochMetrics& record,
                                 const std::stop_token& stop)
{
    const Split& split = m_problem.data->train;
    LossScale& lossScale = m_at.lossScale;
    ReferenceSums measured;
    double squares = 0; // of the batches' gradients
    bool finite = true;
    for (std::size_t i = 0; i < batches.size() && finite && !lossScale.exhausted; ++i) {
        ReferenceSums batch;
        const std::optional<VectorXd> gradient =
            meanGradient(m_at.now.parameters, batches[i], lossScale.scale, batch, stop);
        if (!gradient)
            return false;
        squares += gradient->squaredNorm();
        finite = std::isfinite(reported(batch.loss / static_cast<double>(batches[i].count)));
        if (finite
            && (!scalesLoss(m_problem.precision) || lossScale.takesStep(gradient->allFinite())))
            step(*gradient, rate);
        measured = std::move(batch);
    }
    if (!batches.full() && finite) {
        measured = {};
        if (!measure(split, measured, stop))
            return false;
    }
    record.loss = reported(measured.loss / static_cast<double>(split.rows()));
    record.learningRate = rate;
    record.predictionDigest = measured.predictionDigest;
    record.wrongRows = measured.wrongRows;
    record.gradientNorm =
        static_cast<float>(std::sqrt(squares / static_cast<double>(batches.size())));
    return true;
}

std::size_t ReferenceEngine::train(const TrainingPlan& plan, std::span<EpochMetrics> records,
                                   std::stop_token stop)
{
    const std::size_t rows = m_problem.data->train.rows();
    checkPlan(plan, records.size(), rows);
    const Progress callStart = m_at;
    for (std::size_t epoch = 0; epoch < records.size(); ++epoch) {
        const Progress epochStart = m_at;
        EpochMetrics record;
        if (!trainEpoch({plan, epoch, rows}, plan.learningRates[epoch], record, stop)) {
            m_at = epochStart;
            return epoch;
        }
        if (m_at.lossScale.exhausted) {
            m_at = callStart;
            throw lossScaleExhausted();
        }
        records[epoch] = record;
        ++m_at.epoch;
        if (!std::isfinite(record.loss)) {
            m_at.now = lastFinite();
            return epoch + 1;
        }
    }
    return records.size();
}

Evaluation ReferenceEngine::evaluate(SplitName name)
{
    const Split& split = m_problem.data->split(name);
    ReferenceSums sums;
    measure(split, sums, {});
    return {reported(sums.loss / static_cast<double>(split.rows())), sums.wrongRows, split.rows()};
}

Eigen::MatrixXf ReferenceEngine::predict(const Eigen::MatrixXf& inputs)
{
    checkInputs(inputs, m_problem.initial.shape());
    return m_network.forward(asProductsRead(m_at.now.parameters), inputs.cast<double>())
        .back()
        .cast<float>();
}

Parameters ReferenceEngine::gradientAt(const Parameters& parameters,
                                       std::span<const std::uint32_t> rows)
{
    checkGradientArguments(parameters, rows, m_problem);
    const std::size_t count = rows.empty() ? m_problem.data->train.rows() : rows.size();
    LossScale scale = startingLossScale(m_problem.precision);
    for (;;) {
        ReferenceSums sums;
        const VectorXd gradient =
            *meanGradient(toDouble(parameters.values()), {rows, 0, count}, scale.scale, sums, {});
        if (!scalesLoss(m_problem.precision) || gradient.allFinite() || !scale.halve())
            return toParameters(gradient);
    }
}

Parameters ReferenceEngine::toParameters(const VectorXd& values) const
{
    Parameters parameters = m_problem.initial;
    const std::span<float> target = parameters.values();
    std::transform(values.begin(), values.end(), target.begin(),
                   [](double value) { return static_cast<float>(value); });
    return parameters;
}

EngineState ReferenceEngine::state()
{
    EngineState state;
    state.arithmetic = arithmetic();
    state.epoch = m_at.epoch;
    state.parameters.assign(m_at.now.parameters.begin(), m_at.now.parameters.end());
    state.velocity.assign(m_at.now.velocity.begin(), m_at.now.velocity.end());
    setLossScale(state, m_at.lossScale);
    return state;
}

void ReferenceEngine::restore(const EngineState& state)
{
    checkState(state, arithmetic(), m_problem);
    std::copy(state.parameters.begin(), state.parameters.end(), m_at.now.parameters.begin());
    std::copy(state.velocity.begin(), state.velocity.end(), m_at.now.velocity.begin());
    m_at.before = m_at.now;
    m_at.lossScale = lossScaleOf(state);
    m_at.epoch = state.epoch;
}

} // namespace

std::unique_ptr<TrainingEngine> makeReferenceEngine(const TrainingProblem& problem)
{
    return std::make_unique<ReferenceEngine>(problem);
}

EngineChoice referenceEngineChoice()
{
    EngineChoice choice;
    choice.id = "reference";
    choice.description = "Reference: float64, one thread";
    choice.detail = "Slow; the referee that the other engines are compared with. In tf32, bf16 and "
                    "fp16 it rounds what products read and adds up in float64.";
    choice.precisions = {supportedPrecisions.begin(), supportedPrecisions.end()};
    choice.create = makeReferenceEngine;
    return choice;
}

} // namespace fullbatch
