// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/padded_network.h"

#include <algorithm>

namespace fullbatch {

namespace {

constexpr std::size_t layerMultiple = 128; // numbers: 256 bytes of the smallest kind
constexpr std::size_t rowMultiple = 16;
constexpr std::size_t usualChunkRows = 160;
constexpr std::size_t maximumChunks = 32;
constexpr std::size_t maximumPartialWeights = std::size_t{128} << 18U; // 128 MiB of float32

template <typename Integer>
Integer roundedUp(Integer size, Integer multiple)
{
    return (size + multiple - 1) / multiple * multiple;
}

std::size_t at(const PaddedLayer& layer, std::int64_t output, std::int64_t input)
{
    return layer.offset + static_cast<std::size_t>(input * layer.outputStride + output);
}

} // namespace

PaddedNetwork::PaddedNetwork(const NetworkShape& shape, std::size_t bytesPerNumber)
    : m_padding(static_cast<std::int64_t>(16 / bytesPerNumber))
{
    const std::vector<Layer> dense = shape.denseLayers();
    const std::vector<std::optional<LayerKind>> activations = shape.activations();
    for (std::size_t l = 0; l < dense.size(); ++l) {
        PaddedLayer layer;
        layer.inputs = dense[l].inputs;
        layer.outputs = dense[l].outputs;
        layer.activation = activations[l];
        layer.inputStride = roundedUp(layer.inputs + 1, m_padding);
        layer.outputStride = roundedUp(layer.outputs + (layer.hidden() ? 1 : 0), m_padding);
        layer.offset = m_size;
        layer.size = roundedUp(static_cast<std::size_t>(layer.inputStride * layer.outputStride),
                               layerMultiple);
        m_size += layer.size;
        m_parameterCount += static_cast<std::size_t>((layer.inputs + 1) * layer.outputs);
        m_layers.push_back(layer);
    }
}

std::size_t PaddedNetwork::hiddenStrides() const
{
    std::size_t sum = 0;
    for (const PaddedLayer& layer : m_layers)
        sum += layer.hidden() ? static_cast<std::size_t>(layer.outputStride) : 0;
    return sum;
}

std::size_t PaddedNetwork::widestWithSlopes() const
{
    std::size_t widest = 0;
    for (const PaddedLayer& layer : m_layers)
        if (layer.keepsSlopes())
            widest = std::max(widest, static_cast<std::size_t>(layer.outputStride));
    return widest;
}

void PaddedNetwork::pack(std::span<const float> values, std::span<float> padded) const
{
    const float* from = values.data(); // weight outputs x inputs row-major, then bias
    for (const PaddedLayer& layer : m_layers) {
        for (std::int64_t output = 0; output < layer.outputs; ++output)
            for (std::int64_t input = 0; input < layer.inputs; ++input)
                padded[at(layer, output, input)] = *from++;
        for (std::int64_t output = 0; output < layer.outputs; ++output)
            padded[at(layer, output, layer.inputs)] = *from++;
    }
}

void PaddedNetwork::unpack(std::span<const float> padded, std::span<float> values) const
{
    float* to = values.data();
    for (const PaddedLayer& layer : m_layers) {
        for (std::int64_t output = 0; output < layer.outputs; ++output)
            for (std::int64_t input = 0; input < layer.inputs; ++input)
                *to++ = padded[at(layer, output, input)];
        for (std::int64_t output = 0; output < layer.outputs; ++output)
            *to++ = padded[at(layer, output, layer.inputs)];
    }
}

void PaddedNetwork::setFixed(std::span<float> padded) const
{
    const std::vector<std::uint8_t> free = trainable();
    for (std::size_t i = 0; i < padded.size(); ++i)
        padded[i] = free[i] != 0 ? padded[i] : 0;
    for (const PaddedLayer& layer : m_layers)
        if (layer.hidden())
            padded[at(layer, layer.outputs, layer.inputs)] = 1;
}

std::vector<std::uint8_t> PaddedNetwork::trainable() const
{
    std::vector<std::uint8_t> free(m_size, 0);
    for (const PaddedLayer& layer : m_layers)
        for (std::int64_t input = 0; input <= layer.inputs; ++input)
            for (std::int64_t output = 0; output < layer.outputs; ++output)
                free[at(layer, output, input)] = 1;
    return free;
}

RowChunks wholeChunks(std::size_t trainRows, std::size_t weights)
{
    std::size_t chunks = (trainRows + usualChunkRows - 1) / usualChunkRows;
    chunks = std::min({chunks, maximumChunks, maximumPartialWeights / weights});
    chunks = std::max<std::size_t>(chunks, 1);
    const std::size_t chunkRows = roundedUp((trainRows + chunks - 1) / chunks, rowMultiple);
    return {chunkRows, (trainRows + chunkRows - 1) / chunkRows};
}

RowChunks partChunks(std::size_t rows, const RowChunks& whole)
{
    const std::size_t chunkRows = std::min(roundedUp(rows, rowMultiple), whole.chunkRows);
    return {chunkRows, (rows + chunkRows - 1) / chunkRows};
}

} // namespace fullbatch
