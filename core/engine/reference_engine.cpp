// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reference_engine.h"

#include "core/engine/epoch_batches.h"
#include "core/engine/problem_check.h"

#include <Eigen/Dense>

#include <array>
#include <cmath>

namespace fullbatch {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajorMatrixXd = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::array supportedPrecisions = {Precision::Fp64};
constexpr std::size_t blockRows = 250; // a stop is looked at between blocks

/// What is added up over rows.
struct Sums
{
    double loss = 0;
    std::uint64_t predictionDigest = 0;
    std::uint32_t wrongRows = 0;
    VectorXd gradient; ///< of the summed loss; empty when not asked for
};

/// Where descent stands.
struct Position
{
    VectorXd parameters; ///< in the layout of Parameters
    VectorXd velocity; ///< empty without momentum
};

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
    using Activations = std::vector<MatrixXd>; // inputs of each dense layer, then the logits

    [[nodiscard]] Activations forward(const VectorXd& parameters, const MatrixXd& inputs) const;
    [[nodiscard]] static MatrixXd softmaxCrossEntropy(const MatrixXd& logits, const Split& split,
                                                      const RowSet& rows, Sums& sums);
    void backward(const VectorXd& parameters, const Activations& activations, MatrixXd delta,
                  VectorXd& gradient) const;
    /// False when stopped before the last row.
    bool addRows(const VectorXd& parameters, const Split& split, const RowSet& rows, Sums& sums,
                 const std::stop_token& stop) const;
    bool trainEpoch(const EpochBatches& batches, double rate, EpochMetrics& record,
                    const std::stop_token& stop);
    void step(const VectorXd& gradient, double rate);
    [[nodiscard]] const Position& lastFinite() const
    {
        return m_now.parameters.allFinite() ? m_now : m_before;
    }
    [[nodiscard]] Parameters toParameters(const VectorXd& values) const;

    TrainingProblem m_problem;
    std::vector<TensorInfo> m_tensors; // weight and bias of each dense layer in turn
    Position m_now;
    Position m_before; // the last finite position before m_now
    std::uint64_t m_epoch = 0;
};

VectorXd toDouble(std::span<const float> values)
{
    return Eigen::Map<const Eigen::VectorXf>(values.data(), static_cast<Index>(values.size()))
        .cast<double>();
}

/// The tensor's values within a flat array of parameters: outputs x inputs.
template <typename Values>
auto tensorView(Values& values, const TensorInfo& tensor)
{
    using Plain =
        std::conditional_t<std::is_const_v<Values>, const RowMajorMatrixXd, RowMajorMatrixXd>;
    return Eigen::Map<Plain>(values.data() + tensor.offset, tensor.rows, tensor.columns);
}

ReferenceEngine::ReferenceEngine(const TrainingProblem& problem) : m_problem(problem)
{
    checkProblem(problem, "reference", supportedPrecisions);
    m_tensors.assign(problem.initial.tensors().begin(), problem.initial.tensors().end());
    m_now.parameters = toDouble(problem.initial.values());
    if (problem.momentum > 0)
        m_now.velocity = VectorXd::Zero(m_now.parameters.size());
    m_before = m_now;
}

ReferenceEngine::Activations ReferenceEngine::forward(const VectorXd& parameters,
                                                      const MatrixXd& inputs) const
{
    Activations activations = {inputs};
    for (std::size_t i = 0; i < m_tensors.size(); i += 2) {
        const auto weight = tensorView(parameters, m_tensors[i]);
        const auto bias = tensorView(parameters, m_tensors[i + 1]);
        MatrixXd output = weight * activations.back(); // outputs x rows
        output.colwise() += bias.col(0);
        const bool hidden = i + 2 < m_tensors.size();
        // Written so that NaN passes through.
        if (hidden)
            output = output.unaryExpr([](double value) { return value < 0 ? 0.0 : value; });
        activations.push_back(std::move(output));
    }
    return activations;
}

/// Adds the rows' losses and predictions to `sums`. Returns the derivative of the summed loss by
/// the logits: softmax minus one at the label.
MatrixXd ReferenceEngine::softmaxCrossEntropy(const MatrixXd& logits, const Split& split,
                                              const RowSet& rows, Sums& sums)
{
    MatrixXd derivative(logits.rows(), logits.cols());
    for (Index column = 0; column < logits.cols(); ++column) {
        const std::size_t row = rows.row(static_cast<std::size_t>(column));
        const Index label = split.labels[row];

        Index predicted = 0;
        for (Index i = 1; i < logits.rows(); ++i) {
            if (logits(i, column) > logits(predicted, column))
                predicted = i;
        }
        sums.wrongRows += predicted == label ? 0 : 1;
        sums.predictionDigest +=
            fullbatch::predictionDigest(row, static_cast<std::uint64_t>(predicted));

        // Relative to the largest logit, so that no exponential overflows.
        const VectorXd relative = logits.col(column).array() - logits(predicted, column);
        const VectorXd exponentials = relative.array().exp();
        sums.loss += std::log(exponentials.sum()) - relative(label);
        derivative.col(column) = exponentials / exponentials.sum();
        derivative(label, column) -= 1;
    }
    return derivative;
}

/// `delta` is the derivative by the outputs of the layer at hand, outputs x rows.
void ReferenceEngine::backward(const VectorXd& parameters, const Activations& activations,
                               MatrixXd delta, VectorXd& gradient) const
{
    for (std::size_t layer = m_tensors.size() / 2; layer-- > 0;) {
        const TensorInfo& weight = m_tensors[2 * layer];
        const MatrixXd& inputs = activations[layer];
        tensorView(gradient, weight) += delta * inputs.transpose();
        tensorView(gradient, m_tensors[2 * layer + 1]) += delta.rowwise().sum();
        if (layer > 0) {
            const MatrixXd byInputs = tensorView(parameters, weight).transpose() * delta;
            delta = (inputs.array() > 0).select(byInputs, 0.0); // slope of the ReLU
        }
    }
}

bool ReferenceEngine::addRows(const VectorXd& parameters, const Split& split, const RowSet& rows,
                              Sums& sums, const std::stop_token& stop) const
{
    for (std::size_t begin = 0; begin < rows.count; begin += blockRows) {
        if (stop.stop_requested())
            return false;
        const RowSet block = rows.part(begin, std::min(begin + blockRows, rows.count));
        MatrixXd inputs(split.inputs.rows(), static_cast<Index>(block.count)); // features x rows
        for (std::size_t i = 0; i < block.count; ++i) {
            inputs.col(static_cast<Index>(i)) =
                split.inputs.col(static_cast<Index>(block.row(i))).cast<double>();
        }
        const Activations activations = forward(parameters, inputs);
        MatrixXd delta = softmaxCrossEntropy(activations.back(), split, block, sums);
        if (sums.gradient.size() > 0)
            backward(parameters, activations, std::move(delta), sums.gradient);
    }
    return true;
}

void ReferenceEngine::step(const VectorXd& gradient, double rate)
{
    if (m_now.parameters.allFinite())
        m_before = m_now;
    if (m_problem.momentum > 0) {
        m_now.velocity = m_problem.momentum * m_now.velocity + gradient;
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
    Sums epoch;
    epoch.gradient = VectorXd::Zero(m_now.parameters.size());
    for (std::size_t i = 0; i < batches.size(); ++i) {
        const RowSet rows = batches[i];
        Sums batch;
        batch.gradient = VectorXd::Zero(m_now.parameters.size());
        if (!addRows(m_now.parameters, split, rows, batch, stop))
            return false;
        epoch.loss += batch.loss;
        epoch.wrongRows += batch.wrongRows;
        epoch.predictionDigest += batch.predictionDigest;
        epoch.gradient += batch.gradient;
        if (std::isfinite(epoch.loss)) // after the first loss that is not, only measure
            step(batch.gradient / static_cast<double>(rows.count), rate);
    }
    const auto rows = static_cast<double>(split.rows());
    record.loss = epoch.loss / rows;
    record.learningRate = rate;
    record.predictionDigest = epoch.predictionDigest;
    record.wrongRows = epoch.wrongRows;
    record.gradientNorm = static_cast<float>((epoch.gradient / rows).norm());
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
    Sums sums;
    addRows(m_now.parameters, split, {{}, 0, split.rows()}, sums, {});
    return {sums.loss / static_cast<double>(split.rows()), sums.wrongRows, split.rows()};
}

Eigen::MatrixXf ReferenceEngine::predict(const Eigen::MatrixXf& inputs)
{
    checkInputs(inputs, m_problem.initial.shape());
    return forward(m_now.parameters, inputs.cast<double>()).back().cast<float>();
}

Parameters ReferenceEngine::gradientAt(const Parameters& parameters,
                                       std::span<const std::uint32_t> rows)
{
    checkGradientArguments(parameters, rows, m_problem);
    const Split& split = m_problem.data->train;
    const std::size_t count = rows.empty() ? split.rows() : rows.size();
    Sums sums;
    sums.gradient = VectorXd::Zero(m_now.parameters.size());
    addRows(toDouble(parameters.values()), split, {rows, 0, count}, sums, {});
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
