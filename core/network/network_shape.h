// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fullbatch {

/// Dense has parameters; all others are activations, which have as many outputs as inputs and none.
/// LeakyRelu has PyTorch's slope of 0.01 below zero; Gelu is the exact one, by the error function.
enum class LayerKind { Dense, Relu, LeakyRelu, Tanh, Sigmoid, Gelu };

[[nodiscard]] constexpr bool isActivation(LayerKind kind)
{
    return kind != LayerKind::Dense;
}

/// One layer.
struct Layer
{
    LayerKind kind = LayerKind::Dense;
    std::int64_t inputs = 0;
    std::int64_t outputs = 0;

    friend bool operator==(const Layer&, const Layer&) = default;
};

/// The layers of a network in order, numbered as PyTorch's nn.Sequential numbers its modules.
/// Today every network is a multilayer perceptron: Dense, then (activation, Dense) for each hidden
/// layer.
class NetworkShape
{
public:
    /// 40, {63, 63}, 10: Dense 40-63, Relu, Dense 63-63, Relu, Dense 63-10. No hidden layer gives
    /// softmax regression. Every size must be at least 1 (std::invalid_argument).
    [[nodiscard]] static NetworkShape mlp(std::int64_t inputs,
                                          std::span<const std::int64_t> hiddenWidths,
                                          std::int64_t outputs,
                                          LayerKind activation = LayerKind::Relu);

    [[nodiscard]] std::span<const Layer> layers() const { return m_layers; }
    [[nodiscard]] std::int64_t inputs() const { return m_layers.front().inputs; }
    [[nodiscard]] std::int64_t outputs() const { return m_layers.back().outputs; }
    [[nodiscard]] std::vector<std::int64_t> hiddenWidths() const;
    /// Dense layers only, in order.
    [[nodiscard]] std::vector<Layer> denseLayers() const;
    /// What follows each of them: an activation, or nothing behind the last.
    [[nodiscard]] std::vector<std::optional<LayerKind>> activations() const;
    /// Weights and biases. Saturates at the largest std::int64_t.
    [[nodiscard]] std::int64_t parameterCount() const;
    /// Floating-point operations of one full-batch epoch over `rows` rows:
    /// 2 * rows * (3 * sum of weights - first layer's weights), a multiply-add counted as two.
    [[nodiscard]] double flopsPerEpoch(std::int64_t rows) const;
    /// Of a forward pass over `rows` rows alone: 2 * rows * sum of weights.
    [[nodiscard]] double forwardFlops(std::int64_t rows) const;
    /// "40-63-63-10".
    [[nodiscard]] std::string text() const;

    friend bool operator==(const NetworkShape&, const NetworkShape&) = default;

private:
    std::vector<Layer> m_layers;
};

/// The widths of hidden layers as people write them: "4 x 63", "63-31", "none".
[[nodiscard]] std::string widthsText(std::span<const std::int64_t> hiddenWidths);

} // namespace fullbatch
