// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/network_shape.h"

#include <algorithm>
#include <limits>
#include <stdexcept>

namespace fullbatch {

namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

std::int64_t saturatingProduct(std::int64_t a, std::int64_t b)
{
    std::int64_t product = 0;
    return __builtin_mul_overflow(a, b, &product) ? largest : product;
}

std::int64_t saturatingSum(std::int64_t a, std::int64_t b)
{
    std::int64_t sum = 0;
    return __builtin_add_overflow(a, b, &sum) ? largest : sum;
}

void requireSize(const std::string& name, std::int64_t size)
{
    if (size < 1) {
        throw std::invalid_argument("The " + name + " is " + std::to_string(size)
                                    + "; every size of a network must be at least 1.");
    }
}

} // namespace

NetworkShape NetworkShape::mlp(std::int64_t inputs, std::span<const std::int64_t> hiddenWidths,
                               std::int64_t outputs, LayerKind activation)
{
    if (!isActivation(activation))
        throw std::invalid_argument("The activation of a hidden layer must be one, and not dense.");
    requireSize("number of inputs", inputs);
    requireSize("number of outputs", outputs);
    NetworkShape shape;
    shape.m_layers.reserve(2 * hiddenWidths.size() + 1);
    std::int64_t previous = inputs;
    for (std::size_t i = 0; i < hiddenWidths.size(); ++i) {
        const std::int64_t width = hiddenWidths[i];
        requireSize("width of hidden layer " + std::to_string(i + 1), width);
        shape.m_layers.push_back({LayerKind::Dense, previous, width});
        shape.m_layers.push_back({activation, width, width});
        previous = width;
    }
    shape.m_layers.push_back({LayerKind::Dense, previous, outputs});
    return shape;
}

std::vector<Layer> NetworkShape::denseLayers() const
{
    std::vector<Layer> dense;
    dense.reserve(m_layers.size() / 2 + 1);
    for (const Layer& layer : m_layers) {
        if (layer.kind == LayerKind::Dense)
            dense.push_back(layer);
    }
    return dense;
}

std::vector<std::optional<LayerKind>> NetworkShape::activations() const
{
    std::vector<std::optional<LayerKind>> activations;
    activations.reserve(m_layers.size() / 2 + 1);
    for (const Layer& layer : m_layers) {
        if (layer.kind == LayerKind::Dense)
            activations.emplace_back();
        else
            activations.back() = layer.kind;
    }
    return activations;
}

std::vector<std::int64_t> NetworkShape::hiddenWidths() const
{
    std::vector<std::int64_t> widths;
    widths.reserve(m_layers.size() / 2);
    for (const Layer& layer : m_layers) {
        if (isActivation(layer.kind))
            widths.push_back(layer.outputs);
    }
    return widths;
}

std::int64_t NetworkShape::parameterCount() const
{
    std::int64_t count = 0;
    for (const Layer& layer : m_layers) {
        if (layer.kind == LayerKind::Dense) {
            count = saturatingSum(count, saturatingProduct(layer.inputs, layer.outputs));
            count = saturatingSum(count, layer.outputs);
        }
    }
    return count;
}

double NetworkShape::flopsPerEpoch(std::int64_t rows) const
{
    // Forward, weight gradient and input gradient; the first layer needs no input gradient.
    const Layer& first = m_layers.front();
    const double firstWeights =
        static_cast<double>(first.inputs) * static_cast<double>(first.outputs);
    return 3 * forwardFlops(rows) - 2 * static_cast<double>(rows) * firstWeights;
}

double NetworkShape::forwardFlops(std::int64_t rows) const
{
    double weights = 0;
    for (const Layer& layer : m_layers) {
        if (layer.kind == LayerKind::Dense)
            weights += static_cast<double>(layer.inputs) * static_cast<double>(layer.outputs);
    }
    return 2 * static_cast<double>(rows) * weights;
}

std::string NetworkShape::text() const
{
    std::string text = std::to_string(inputs());
    for (const Layer& layer : m_layers) {
        if (layer.kind == LayerKind::Dense)
            text.append("-").append(std::to_string(layer.outputs));
    }
    return text;
}

std::string widthsText(std::span<const std::int64_t> hiddenWidths)
{
    if (hiddenWidths.empty())
        return "none";
    const std::int64_t first = hiddenWidths.front();
    if (std::all_of(hiddenWidths.begin(), hiddenWidths.end(),
                    [first](std::int64_t width) { return width == first; }))
        return std::to_string(hiddenWidths.size()) + " x " + std::to_string(first);
    std::string text = std::to_string(first);
    for (const std::int64_t width : hiddenWidths.subspan(1))
        text.append("-").append(std::to_string(width));
    return text;
}

} // namespace fullbatch
