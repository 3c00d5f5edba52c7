// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/tile_pass.h"

#include <algorithm>

namespace fullbatch {

TilePass::TilePass(const PackedNetwork& network, const TileKernels& kernels,
                   std::int64_t mostSamples)
    : m_network(network),
      m_kernels(kernels)
{
    const auto layers = network.layers();
    std::int64_t widest = 0;
    for (std::size_t l = 0; l < layers.size(); ++l) {
        const bool last = l + 1 == layers.size();
        const std::int64_t stride = last ? layers[l].outputStride : layers[l + 1].inputStride;
        const auto size = static_cast<std::size_t>(stride * mostSamples);
        const bool relu = layers[l].activation == LayerKind::Relu;
        m_slopes.emplace_back(last || relu ? 0 : size);
        AlignedFloats output(size);
        if (!last) {
            widest = std::max(widest, stride);
            for (std::int64_t s = 0; s < mostSamples; ++s)
                output.data()[s * stride + layers[l].outputs] = 1; // the ones unit
        }
        m_outputs.push_back(std::move(output));
    }
    for (AlignedFloats& delta : m_deltas)
        delta = AlignedFloats(static_cast<std::size_t>(widest * mostSamples));
    m_scratch =
        AlignedFloats(static_cast<std::size_t>(layers.back().outputStride * network.lanes()));
}

std::int64_t TilePass::logitsStride() const
{
    return m_network.layers().back().outputStride;
}

const float* TilePass::forward(const PackedWeights& weights, const float* inputs,
                               std::int64_t samples, bool keepSlopes)
{
    const auto layers = m_network.layers();
    for (std::size_t l = 0; l < layers.size(); ++l) {
        const PackedLayer& layer = layers[l];
        // outputs x samples = (outputs x inputs) (inputs x samples)
        TileProduct product;
        product.vectors = layer.outputStride / m_network.lanes();
        product.depth = layer.inputs;
        product.columns = samples;
        product.a = layer.byInput(weights.masters, weights.copies);
        product.aStride = layer.outputStride;
        product.b = inputs;
        product.bStride = layer.inputStride;
        product.c = m_outputs[l].data();
        product.cStride = layer.activation ? layers[l + 1].inputStride : layer.outputStride;
        const float* bias = product.a + layer.inputs * layer.outputStride;
        if (layer.activation == LayerKind::Relu) {
            m_kernels.forwardRelu(product, bias);
        } else {
            m_kernels.forwardLinear(product, bias);
            if (layer.activation)
                m_kernels.activate(*layer.activation,
                                   {layer.outputs, samples, product.cStride, product.c,
                                    keepSlopes ? m_slopes[l].data() : nullptr});
        }
        inputs = product.c;
    }
    return inputs;
}

LossSums TilePass::loss(const PackedWeights& weights, const TileRows& tile, bool keepSlopes)
{
    forward(weights, tile.inputs, tile.samples, keepSlopes);
    return m_kernels.softmaxCrossEntropy(m_outputs.back().data(), logitsStride(), tile.samples,
                                         m_network.layers().back().outputs, tile.labels, tile.rows,
                                         m_scratch.data());
}

LossSums TilePass::gradient(const PackedWeights& weights, const TileRows& tile, float* gradient,
                            bool accumulate)
{
    const LossSums sums = loss(weights, tile, true);
    backward(weights, tile.inputs, tile.samples, gradient, accumulate);
    return sums;
}

void TilePass::backward(const PackedWeights& weights, const float* inputs, std::int64_t samples,
                        float* gradient, bool accumulate)
{
    const auto layers = m_network.layers();
    const int lanes = m_network.lanes();
    const float* delta = m_outputs.back().data();
    std::int64_t deltaStride = logitsStride();
    for (std::size_t l = layers.size(); l-- > 0;) {
        const PackedLayer& layer = layers[l];
        const float* activation = l == 0 ? inputs : m_outputs[l - 1].data();

        // The master's layout: either outputs x (inputs + 1) = delta activation^T, or its
        // transpose.
        TileProduct weight;
        weight.depth = samples;
        weight.a = layer.masterByOutput ? activation : delta;
        weight.aStride = layer.masterByOutput ? layer.inputStride : deltaStride;
        weight.b = layer.masterByOutput ? delta : activation;
        weight.bStride = layer.masterByOutput ? deltaStride : layer.inputStride;
        weight.vectors = (layer.masterByOutput ? layer.inputStride : layer.outputStride) / lanes;
        weight.columns = layer.masterByOutput ? layer.outputs : layer.inputs + 1;
        weight.c = gradient + layer.master;
        weight.cStride = layer.masterByOutput ? layer.inputStride : layer.outputStride;
        m_kernels.weightGradient(weight, accumulate);

        if (l == 0)
            break;
        // inputs x samples = (outputs x inputs)^T (outputs x samples)
        TileProduct input;
        input.vectors = (layer.inputs + lanes - 1) / lanes;
        input.depth = layer.outputs;
        input.columns = samples;
        input.a = layer.byOutput(weights.masters, weights.copies);
        input.aStride = layer.byOutputStride(lanes);
        input.b = delta;
        input.bStride = deltaStride;
        input.c = m_deltas[l % 2].data();
        input.cStride = layer.inputStride;
        if (layers[l - 1].activation == LayerKind::Relu)
            m_kernels.inputGradient(input, activation);
        else
            m_kernels.inputGradientBySlopes(input, m_slopes[l - 1].data());
        // With the master by output, the bias took part as the ones unit's weight; the ones unit is
        // constant, and what is below must see no gradient there.
        if (layer.masterByOutput)
            for (std::int64_t s = 0; s < samples; ++s)
                input.c[s * input.cStride + layer.inputs] = 0;
        delta = input.c;
        deltaStride = input.cStride;
    }
}

} // namespace fullbatch
