// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reference_engine.h"

#include "core/engine/problem_check.h"
#include "core/engine/reference_network.h"

#include <array>
#include <cmath>

namespace fullbatch {

namespace {

using Eigen::Index;
using Eigen::VectorXd;

constexpr std::array supportedPrecisions = {Precision::Fp64};

/// Where descent stands.
struct Position
{
    VectorXd parameters; ///< in the layout of Parameters
    VectorXd velocity; ///< empty without momentum
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
    void step(const VectorXd& gradient, double rate);
    [[nodiscard]] const Position& lastFinite() const { return finite(m_now) ? m_now : m_before; }
    [[nodiscard]] Parameters toParameters(const VectorXd& values) const;

    TrainingProblem m_problem;
    ReferenceNetwork m_network;
    Position m_now;
    Position m_before; // the last finite position before m_now
    std::uint64_t m_epoch = 0;
};

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
      m_network(problem.initial)
{
    m_now.parameters = toDouble(problem.initial.values());
    if (problem.optimiser.momentum > 0)
        m_now.velocity = VectorXd::Zero(m_now.parameters.size());
    m_before = m_now;
}

void ReferenceEngine::step(const VectorXd& gradient, double rate)
{
    if (finite(m_now))
        m_before = m_now;
    const Optimiser& optimiser = m_problem.optimiser;
    if (optimiser.momentum > 0) {
        m_now.velocity = optimiser.momentum * m_now.velocity + gradient;
        if (optimiser.nesterov)
            m_now.parameters -= rate * (gradient + optimiser.momentum * m_now.velocity);
        else
            m_now.parameters -= rate * m_now.velocity;
    } else {
        m_now.parameters -= rate * gradient;
    }
}

/// False, with nothing changed but m_now and m_before, when stopped.
bool ReferenceEngine::trainEpoch(const EpochBatches& batches, double rate, EpochMetrics& record,
                                 const std::stop_token& stop)
{
    const Split& split = m_problem.data->train;
    ReferenceSums measured;
    double squares = 0; // of the batches' gradients
    bool finite = true;
    for (std::size_t i = 0; i < batches.size() && finite; ++i) {
        const RowSet rows = batches[i];
        ReferenceSums batch;
        batch.gradient = VectorXd::Zero(m_now.parameters.size());
        if (!m_network.addRows(m_now.parameters, split, rows, batch, stop))
            return false;
        const VectorXd gradient = batch.gradient / static_cast<double>(rows.count);
        squares += gradient.squaredNorm();
        finite = std::isfinite(batch.loss);
        if (finite)
            step(gradient, rate);
        measured = std::move(batch);
    }
    if (!batches.full() && finite) {
        measured = {};
        if (!m_network.addRows(m_now.parameters, split, {{}, 0, split.rows()}, measured, stop))
            return false;
    }
    record.loss = measured.loss / static_cast<double>(split.rows());
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
    for (std::size_t epoch = 0; epoch < records.size(); ++epoch) {
        const Position now = m_now;
        const Position before = m_before;
        EpochMetrics record;
        if (!trainEpoch({plan, epoch, rows}, plan.learningRates[epoch], record, stop)) {
            m_now = now;
            m_before = before;
            return epoch;
        }
        records[epoch] = record;
        ++m_epoch;
        if (!std::isfinite(record.loss)) {
            m_now = lastFinite();
            return epoch + 1;
        }
    }
    return records.size();
}

Evaluation ReferenceEngine::evaluate(SplitName name)
{
    const Split& split = m_problem.data->split(name);
    ReferenceSums sums;
    m_network.addRows(m_now.parameters, split, {{}, 0, split.rows()}, sums, {});
    return {sums.loss / static_cast<double>(split.rows()), sums.wrongRows, split.rows()};
}

Eigen::MatrixXf ReferenceEngine::predict(const Eigen::MatrixXf& inputs)
{
    checkInputs(inputs, m_problem.initial.shape());
    return m_network.forward(m_now.parameters, inputs.cast<double>()).back().cast<float>();
}

Parameters ReferenceEngine::gradientAt(const Parameters& parameters,
                                       std::span<const std::uint32_t> rows)
{
    checkGradientArguments(parameters, rows, m_problem);
    const Split& split = m_problem.data->train;
    const std::size_t count = rows.empty() ? split.rows() : rows.size();
    ReferenceSums sums;
    sums.gradient = VectorXd::Zero(m_now.parameters.size());
    m_network.addRows(toDouble(parameters.values()), split, {rows, 0, count}, sums, {});
    return toParameters(sums.gradient / static_cast<double>(count));
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
    state.arithmetic = "reference fp64";
    state.epoch = m_epoch;
    state.parameters.assign(m_now.parameters.begin(), m_now.parameters.end());
    state.velocity.assign(m_now.velocity.begin(), m_now.velocity.end());
    return state;
}

void ReferenceEngine::restore(const EngineState& state)
{
    checkState(state, "reference fp64", m_problem);
    std::copy(state.parameters.begin(), state.parameters.end(), m_now.parameters.begin());
    std::copy(state.velocity.begin(), state.velocity.end(), m_now.velocity.begin());
    m_before = m_now;
    m_epoch = state.epoch;
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
    choice.detail = "Slow; the referee that the other engines are compared with.";
    choice.precisions = {supportedPrecisions.begin(), supportedPrecisions.end()};
    choice.create = makeReferenceEngine;
    return choice;
}

} // namespace fullbatch
