// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/tile_pass.h"

#include "core/engine/cpu/rounding_pass.h"
#include "core/engine/rounding.h"

#include <algorithm>

namespace fullbatch {

namespace {

/// In place, times the factor; nothing for fp32.
void roundColumns(const PackedWeights& weights, float factor, float* values, std::int64_t stride,
                  std::int64_t columns)
{
    if (roundsInputs(weights.precision))
        roundValues(weights.precision, factor, values, values,
                    static_cast<std::size_t>(stride * columns));
}

} // namespace

TilePass::TilePass(const PackedNetwork& network, const TileKernels& kernels,
                   std::int64_t mostSamples, Deltas deltas)
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
    const std::size_t kept = deltas == Deltas::Kept ? layers.size() : 2;
    for (std::size_t i = 0; i < kept; ++i)
        m_deltas.emplace_back(static_cast<std::size_t>(widest * mostSamples));
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
        if (layer.activation)
            roundColumns(weights, 1, product.c, product.cStride, samples);
        inputs = product.c;
    }
    return inputs;
}

LossSums TilePass::loss(const PackedWeights& weights, const TileRows& tile, bool keepSlopes)
{
    m_tile = tile;
    forward(weights, tile.inputs, tile.samples, keepSlopes);
    return m_kernels.softmaxCrossEntropy(m_outputs.back().data(), logitsStride(), tile.samples,
                                         m_network.layers().back().outputs, tile.labels, tile.rows,
                                         m_scratch.data());
}

LossSums TilePass::lossAndLastDelta(const PackedWeights& weights, const TileRows& tile)
{
    const LossSums sums = loss(weights, tile, true);
    roundColumns(weights, weights.deltaScale, m_outputs.back().data(), logitsStride(),
                 tile.samples);
    return sums;
}

LossSums TilePass::gradient(const PackedWeights& weights, const TileRows& tile, float* gradient,
                            bool accumulate)
{
    const LossSums sums = lossAndLastDelta(weights, tile);
    const auto layers = m_network.layers();
    for (std::size_t l = layers.size(); l-- > 0;) {
        const PackedLayer& layer = layers[l];
        partGradient({l, 0, layer.masterByOutput ? layer.outputs : layer.inputs + 1, layer.master,
                      layer.masterSize},
                     gradient + layer.master, accumulate);
        if (l > 0)
            inputGradient(weights, l, tile.samples);
    }
    return sums;
}

LossSums TilePass::lossAndDeltas(const PackedWeights& weights, const TileRows& tile)
{
    const LossSums sums = lossAndLastDelta(weights, tile);
    for (std::size_t l = m_network.layers().size() - 1; l > 0; --l)
        inputGradient(weights, l, tile.samples);
    return sums;
}

TilePass::Delta TilePass::deltaOf(std::size_t layer) const
{
    const auto layers = m_network.layers();
    if (layer + 1 == layers.size())
        return {m_outputs.back().data(), logitsStride()};
    return {m_deltas[(layer + 1) % m_deltas.size()].data(), layers[layer + 1].inputStride};
}

void TilePass::partGradient(const MasterPart& part, float* gradient, bool accumulate) const
{
    const PackedLayer& layer = m_network.layers()[part.layer];
    const float* activation = part.layer == 0 ? m_tile.inputs : m_outputs[part.layer - 1].data();
    const Delta delta = deltaOf(part.layer);
    // The master's layout: either outputs x (inputs + 1) = delta activation^T, or its transpose.
    TileProduct product;
    product.depth = m_tile.samples;
    product.a = layer.masterByOutput ? activation : delta.values;
    product.aStride = layer.masterByOutput ? layer.inputStride : delta.stride;
    product.b = (layer.masterByOutput ? delta.values : activation) + part.firstColumn;
    product.bStride = layer.masterByOutput ? delta.stride : layer.inputStride;
    product.cStride = layer.masterByOutput ? layer.inputStride : layer.outputStride;
    product.vectors = product.cStride / m_network.lanes();
    product.columns = part.columns;
    product.c = gradient;
    m_kernels.weightGradient(product, accumulate);
}

/// From the gradient by a layer's outputs that by its inputs, the layer before's activation.
void TilePass::inputGradient(const PackedWeights& weights, std::size_t l, std::int64_t samples)
{
    const PackedLayer& layer = m_network.layers()[l];
    const int lanes = m_network.lanes();
    const Delta delta = deltaOf(l);
    // inputs x samples = (outputs x inputs)^T (outputs x samples)
    TileProduct input;
    input.vectors = (layer.inputs + lanes - 1) / lanes;
    input.depth = layer.outputs;
    input.columns = samples;
    input.a = layer.byOutput(weights.masters, weights.copies);
    input.aStride = layer.byOutputStride(lanes);
    input.b = delta.values;
    input.bStride = delta.stride;
    input.c = m_deltas[l % m_deltas.size()].data();
    input.cStride = layer.inputStride;
    if (m_network.layers()[l - 1].activation == LayerKind::Relu)
        m_kernels.inputGradient(input, m_outputs[l - 1].data());
    else
        m_kernels.inputGradientBySlopes(input, m_slopes[l - 1].data());
    // With the master by output, the bias took part as the ones unit's weight; the ones unit is
    // constant, and what is below must see no gradient there.
    if (layer.masterByOutput)
        for (std::int64_t s = 0; s < samples; ++s)
            input.c[s * input.cStride + layer.inputs] = 0;
    roundColumns(weights, 1, input.c, input.cStride, samples);
}

} // namespace fullbatch
