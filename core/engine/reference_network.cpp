// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reference_network.h"

#include "core/engine/activation_functions.h"
#include "core/engine/rounding.h"

#include <Eigen/Dense>

#include <cmath>

namespace fullbatch {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using RowMajorMatrixXd = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr std::size_t blockRows = 250; // a stop is looked at between blocks

/// The tensor's values within a flat array of parameters: outputs x inputs.
template <typename Values>
auto tensorView(Values& values, const TensorInfo& tensor)
{
    using Plain =
        std::conditional_t<std::is_const_v<Values>, const RowMajorMatrixXd, RowMajorMatrixXd>;
    return Eigen::Map<Plain>(values.data() + tensor.offset, tensor.rows, tensor.columns);
}

/// Adds the rows' losses and predictions to `sums`. Returns the derivative of the summed loss by
/// the logits: softmax minus one at the label.
MatrixXd softmaxCrossEntropy(const MatrixXd& logits, const Split& split, const RowSet& rows,
                             ReferenceSums& sums)
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

} // namespace

ReferenceNetwork::ReferenceNetwork(const Parameters& parameters, Precision precision)
    : m_precision(precision)
{
    for (const Layer& layer : parameters.shape().layers())
        m_steps.push_back({layer, {}, {}});
    for (const TensorInfo& tensor : parameters.tensors()) {
        Step& step = m_steps[tensor.layer];
        (tensor.kind == TensorKind::Weight ? step.weight : step.bias) = tensor;
    }
}

/// As a product reads them. The other engines' sums are float32 before they are rounded.
MatrixXd ReferenceNetwork::rounded(const MatrixXd& values) const
{
    if (!roundsInputs(m_precision))
        return values;
    return values.unaryExpr([precision = m_precision](double value) -> double {
        return roundedFor(precision, static_cast<float>(value));
    });
}

ReferenceNetwork::Activations ReferenceNetwork::forward(const VectorXd& parameters,
                                                        const MatrixXd& inputs) const
{
    Activations activations = {inputs};
    for (const Step& step : m_steps) {
        const LayerKind kind = step.layer.kind;
        MatrixXd output; // outputs x rows
        if (kind == LayerKind::Dense) {
            activations.back() = rounded(activations.back());
            output = tensorView(parameters, step.weight) * activations.back();
            output.colwise() += tensorView(parameters, step.bias).col(0);
        } else {
            output = activations.back().unaryExpr(
                [kind](double x) { return activationAt(kind, x).value; });
        }
        activations.push_back(std::move(output));
    }
    if (roundsInputs(m_precision))
        activations.back() = activations.back().cast<float>().cast<double>().eval();
    return activations;
}

/// `delta` is the derivative by the outputs of the layer at hand, outputs x rows.
void ReferenceNetwork::backward(const VectorXd& parameters, const Activations& activations,
                                MatrixXd delta, VectorXd& gradient) const
{
    for (std::size_t layer = m_steps.size(); layer-- > 0;) {
        const Step& step = m_steps[layer];
        const LayerKind kind = step.layer.kind;
        const MatrixXd& inputs = activations[layer];
        if (kind == LayerKind::Dense) {
            delta = rounded(delta);
            tensorView(gradient, step.weight) += delta * inputs.transpose();
            tensorView(gradient, step.bias) += delta.rowwise().sum();
            if (layer > 0)
                delta = tensorView(parameters, step.weight).transpose() * delta;
        } else {
            delta = delta.binaryExpr(inputs, [kind](double derivative, double x) {
                const double slope = activationAt(kind, x).slope;
                return slope == 0 ? 0.0 : slope * derivative; // nothing passes, not even infinity
            });
        }
    }
}

bool ReferenceNetwork::addRows(const VectorXd& parameters, const Split& split, const RowSet& rows,
                               double deltaScale, ReferenceSums& sums,
                               const std::stop_token& stop) const
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
        const MatrixXd delta = softmaxCrossEntropy(activations.back(), split, block, sums);
        if (sums.gradient.size() > 0)
            backward(parameters, activations, deltaScale * delta, sums.gradient);
    }
    return true;
}

} // namespace fullbatch
