// SPDX-License-Identifier: GPL-3.0-or-later
// What the reduced precisions do: everything that a product reads is rounded, and nothing else.
#include "core/engine/rounding.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

#include <Eigen/Dense>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fullbatch {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;

/// What the model below does not round.
enum class Left { Nothing, Inputs, Weights, Biases, Activations, Deltas };

/// A ReLU network in float64 whose products read rounded numbers, by plain matrices: logits and the
/// gradient of the mean loss. The sums that are rounded are float32.
class Model
{
public:
    Model(const TrainingProblem& problem, Left left) : m_problem(problem), m_left(left)
    {
        const std::span<const TensorInfo> tensors = problem.initial.tensors();
        for (std::size_t i = 0; i < tensors.size(); i += 2) {
            m_weights.push_back(
                rounded(problem.initial.view(tensors[i]).cast<double>(), Left::Weights));
            m_biases.push_back(
                rounded(problem.initial.view(tensors[i + 1]).cast<double>(), Left::Biases));
        }
        MatrixXd inputs = problem.data->train.inputs.cast<double>();
        for (std::size_t l = 0; l < m_weights.size(); ++l) {
            m_inputs.push_back(rounded(inputs, l == 0 ? Left::Inputs : Left::Activations));
            m_logits = m_weights[l] * m_inputs[l] + m_biases[l].replicate(1, inputs.cols());
            inputs = m_logits.cwiseMax(0.0);
        }
    }

    [[nodiscard]] Eigen::MatrixXf logits() const { return m_logits.cast<float>(); }

    /// `deltaScale` as fp16 has it; a power of two.
    [[nodiscard]] Parameters gradient(double deltaScale) const
    {
        MatrixXd delta = m_logits.cast<float>().cast<double>();
        for (Index row = 0; row < delta.cols(); ++row) {
            const Eigen::VectorXd powers =
                (delta.col(row).array() - delta.col(row).maxCoeff()).exp();
            delta.col(row) = powers / powers.sum();
            delta(m_problem.data->train.labels[static_cast<std::size_t>(row)], row) -= 1;
        }
        delta *= deltaScale;
        Parameters gradient = m_problem.initial;
        const double share = 1 / (deltaScale * static_cast<double>(delta.cols()));
        for (std::size_t l = m_weights.size(); l-- > 0;) {
            delta = rounded(delta, Left::Deltas);
            put(gradient, 2 * l, share * delta * m_inputs[l].transpose());
            put(gradient, 2 * l + 1, share * delta.rowwise().sum());
            if (l > 0) {
                delta = (m_weights[l].transpose() * delta).eval();
                delta = (m_inputs[l].array() > 0).select(delta, 0);
            }
        }
        return gradient;
    }

private:
    [[nodiscard]] MatrixXd rounded(const MatrixXd& values, Left what) const
    {
        if (what == m_left)
            return values;
        return values.unaryExpr([this](double value) -> double {
            return roundedFor(m_problem.precision, static_cast<float>(value));
        });
    }

    static void put(Parameters& gradient, std::size_t tensor, const MatrixXd& values)
    {
        const TensorInfo& info = gradient.tensors()[tensor];
        for (Index row = 0; row < values.rows(); ++row) {
            for (Index column = 0; column < values.cols(); ++column)
                gradient.values()[info.offset
                                  + static_cast<std::size_t>(row * values.cols() + column)] =
                    static_cast<float>(values(row, column));
        }
    }

    const TrainingProblem& m_problem;
    Left m_left;
    std::vector<MatrixXd> m_weights; // outputs x inputs
    std::vector<MatrixXd> m_biases; // outputs x 1
    std::vector<MatrixXd> m_inputs; // of each layer, units x rows
    MatrixXd m_logits;
};

/// What a few roundings to the other side may do, where a float32 sum in another order lies near
/// the middle of two numbers: far below what any kind of number does that is not rounded at all.
double modelBar(Precision precision)
{
    return precision == Precision::Bf16 ? 3e-4 : 3e-5;
}

CheckResult nearTheModel(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = randomProblem({40, 63, 33, 10}, 257, precision);
    const auto engine = choice.create(problem);
    const Eigen::MatrixXf logits = engine->predict(problem.data->train.inputs);
    const Parameters gradient = engine->gradientAt(problem.initial, {});
    // fp16: the scale at the start over 512, the power of two from 257 up.
    const double deltaScale = precision == Precision::Fp16 ? 65536.0 / 512 : 1;
    const Model model(problem, Left::Nothing);
    const Eigen::MatrixXf expected = model.logits();
    const auto size = static_cast<std::size_t>(expected.size());
    Worst worst;
    worst.add(normalisedDifference({logits.data(), size}, {expected.data(), size}), "logits");
    worst.add(normalisedDifference(gradient.values(), model.gradient(deltaScale).values()),
              "gradient");
    for (const Left left :
         {Left::Inputs, Left::Weights, Left::Biases, Left::Activations, Left::Deltas}) {
        const double distance = normalisedDifference(
            gradient.values(), Model(problem, left).gradient(deltaScale).values());
        worst.add(distance > 2 * modelBar(precision) ? 0 : 1,
                  "cannot be told from a model without rounding "
                      + std::to_string(static_cast<int>(left)));
    }
    return worst.result(modelBar(precision));
}

/// One weight of 1: a logit is what the product read.
CheckResult specialNumbers(const EngineChoice& choice, Precision precision)
{
    constexpr float infinity = std::numeric_limits<float>::infinity();
    TrainingProblem problem = randomProblem({1, 2}, 31, precision);
    std::ranges::fill(problem.initial.values(), 0.0F);
    problem.initial.values()[0] = 1;
    const auto engine = choice.create(problem);
    const std::vector<float> values = {0,
                                       1,
                                       1 + 0x1p-8F,
                                       1 + 0x3p-8F,
                                       1 + 0x1p-11F,
                                       1 + 0x3p-11F,
                                       1 + 0x1.01p-8F, // ties
                                       65504,
                                       65519,
                                       65520,
                                       65536,
                                       3e38F,
                                       std::numeric_limits<float>::max(),
                                       infinity, // largest
                                       0x1p-14F,
                                       0x1p-24F,
                                       0x1p-25F,
                                       0x1.1p-25F,
                                       0x1.8p-24F,
                                       0x1.7p-16F,
                                       0x1p-100F}; // fp16's least
    Eigen::MatrixXf inputs(1, static_cast<Index>(2 * values.size() + 1));
    for (std::size_t i = 0; i < values.size(); ++i) {
        inputs(0, static_cast<Index>(2 * i)) = values[i];
        inputs(0, static_cast<Index>(2 * i + 1)) = -values[i];
    }
    inputs(0, inputs.cols() - 1) = std::numeric_limits<float>::quiet_NaN();
    const Eigen::MatrixXf logits = engine->predict(inputs);
    Worst worst;
    for (Index i = 0; i + 1 < inputs.cols(); ++i) {
        const float expected = roundedFor(precision, inputs(0, i));
        worst.add(logits(0, i) == expected ? 0 : 1,
                  std::to_string(inputs(0, i)) + " is read as " + std::to_string(logits(0, i)));
    }
    worst.add(std::isnan(logits(0, inputs.cols() - 1)) ? 0 : 1, "a NaN gets lost");
    return worst.result(0);
}

} // namespace

std::vector<EngineCheck> roundingChecks()
{
    return {{"logits and gradient near a model that rounds", nearTheModel},
            {"products read special numbers as the format says", specialNumbers}};
}

} // namespace fullbatch
