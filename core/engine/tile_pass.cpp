// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/tile_pass.h"

#include <cmath>
#include <cstring>

namespace fullbatch {

namespace {

/// Written so that NaN passes through and a diverging run is seen.
void rectify(std::span<float> values)
{
    for (float& value : values)
        value = value < 0.0F ? 0.0F : value;
}

/// Index of the largest logit, the lowest index on a tie.
std::size_t predictedClass(std::span<const float> logits)
{
    std::size_t predicted = 0;
    for (std::size_t i = 1; i < logits.size(); ++i) {
        if (logits[i] > logits[predicted])
            predicted = i;
    }
    return predicted;
}

/// Cross-entropy of the softmax of `logits`; `delta` becomes its derivative by the logits. The
/// largest logit is taken off first, so that no exponential overflows.
double softmaxCrossEntropy(std::span<const float> logits, std::size_t predicted, std::size_t label,
                           std::span<float> delta)
{
    const float largest = logits[predicted];
    float sum = 0;
    for (std::size_t i = 0; i < logits.size(); ++i) {
        delta[i] = std::exp(logits[i] - largest);
        sum += delta[i];
    }
    for (float& value : delta)
        value /= sum;
    delta[label] -= 1;
    return std::log(static_cast<double>(sum)) - static_cast<double>(logits[label] - largest);
}

} // namespace

TilePass::TilePass(const Parameters& layout, std::size_t tileRows)
{
    const std::span<const TensorInfo> tensors = layout.tensors();
    std::size_t widest = 0;
    for (std::size_t i = 0; i < tensors.size(); i += 2) {
        const TensorInfo& weight = tensors[i];
        m_layers.push_back({weight.columns, weight.rows, weight.offset, tensors[i + 1].offset});
        const auto outputs = static_cast<std::size_t>(weight.rows);
        m_outputs.emplace_back(outputs * tileRows);
        widest = std::max(widest, outputs);
    }
    m_gathered.resize(static_cast<std::size_t>(layout.shape().inputs()) * tileRows);
    m_delta.resize(widest * tileRows);
    m_nextDelta.resize(widest * tileRows);
}

const float* TilePass::forward(const float* parameters, const float* inputs, std::size_t rows)
{
    const float* layerInputs = inputs;
    for (std::size_t i = 0; i < m_layers.size(); ++i) {
        const Dense& layer = m_layers[i];
        float* outputs = m_outputs[i].data();
        denseForward({layer.inputs, layer.outputs, static_cast<std::ptrdiff_t>(rows)},
                     parameters + layer.weight, parameters + layer.bias, layerInputs, outputs);
        if (i + 1 < m_layers.size())
            rectify({outputs, static_cast<std::size_t>(layer.outputs) * rows});
        layerInputs = outputs;
    }
    return layerInputs;
}

/// Inputs of the rows, one after another.
const float* TilePass::gather(const Split& split, const RowSet& rows)
{
    const auto features = static_cast<std::size_t>(split.inputs.rows());
    const float* inputs = split.inputs.data();
    if (rows.order.empty())
        return inputs + features * rows.first;
    for (std::size_t i = 0; i < rows.count; ++i) {
        std::memcpy(m_gathered.data() + features * i, inputs + features * rows.row(i),
                    features * sizeof(float));
    }
    return m_gathered.data();
}

TrainingSums TilePass::run(const float* parameters, const Split& split, const RowSet& rows,
                           float* gradient)
{
    const float* inputs = gather(split, rows);
    const float* logits = forward(parameters, inputs, rows.count);
    const auto classes = static_cast<std::size_t>(m_layers.back().outputs);
    TrainingSums sums;
    for (std::size_t i = 0; i < rows.count; ++i) {
        const std::span<const float> rowLogits(logits + classes * i, classes);
        const std::size_t row = rows.row(i);
        const auto label = static_cast<std::size_t>(split.labels[row]);
        const std::size_t predicted = predictedClass(rowLogits);
        sums.loss += softmaxCrossEntropy(rowLogits, predicted, label,
                                         {m_delta.data() + classes * i, classes});
        sums.predictionDigest += predictionDigest(row, predicted);
        sums.wrongRows += predicted == label ? 0U : 1U;
    }
    if (gradient != nullptr)
        backward(parameters, inputs, rows.count, gradient);
    return sums;
}

void TilePass::backward(const float* parameters, const float* inputs, std::size_t rows,
                        float* gradient)
{
    for (std::size_t i = m_layers.size(); i-- > 0;) {
        const Dense& layer = m_layers[i];
        const TileSizes sizes{layer.inputs, layer.outputs, static_cast<std::ptrdiff_t>(rows)};
        const float* layerInputs = i > 0 ? m_outputs[i - 1].data() : inputs;
        denseGradient(sizes, m_delta.data(), layerInputs, gradient + layer.weight,
                      gradient + layer.bias);
        if (i == 0)
            return;
        denseInputDelta(sizes, parameters + layer.weight, m_delta.data(), m_nextDelta.data());
        const std::size_t values = static_cast<std::size_t>(layer.inputs) * rows;
        for (std::size_t j = 0; j < values; ++j) // slope of the ReLU
            m_nextDelta[j] = layerInputs[j] > 0.0F ? m_nextDelta[j] : 0.0F;
        std::swap(m_delta, m_nextDelta);
    }
}

} // namespace fullbatch
