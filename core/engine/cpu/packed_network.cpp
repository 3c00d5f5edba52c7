// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/packed_network.h"

#include <algorithm>

namespace fullbatch {

namespace {

// A multiple of the columns that the kernels take at a time, and of a cache line of the copies.
constexpr std::int64_t partColumns = 48;

std::int64_t roundedUp(std::int64_t size, std::int64_t multiple)
{
    return (size + multiple - 1) / multiple * multiple;
}

// to[column][row] = from[row][column] for rows x columns values, in squares that fit a few cache
// lines of either side.
void transpose(const float* from, std::int64_t fromStride, float* to, std::int64_t toStride,
               std::int64_t rows, std::int64_t columns)
{
    constexpr std::int64_t square = 8;
    for (std::int64_t row = 0; row < rows; row += square) {
        const std::int64_t rowEnd = std::min(rows, row + square);
        for (std::int64_t column = 0; column < columns; column += square) {
            const std::int64_t columnEnd = std::min(columns, column + square);
            for (std::int64_t c = column; c < columnEnd; ++c)
                for (std::int64_t r = row; r < rowEnd; ++r)
                    to[c * toStride + r] = from[r * fromStride + c];
        }
    }
}

} // namespace

PackedNetwork::PackedNetwork(const NetworkShape& shape, int lanes) : m_lanes(lanes)
{
    const std::vector<Layer> dense = shape.denseLayers();
    const std::vector<std::optional<LayerKind>> activations = shape.activations();
    for (std::size_t l = 0; l < dense.size(); ++l) {
        PackedLayer layer;
        layer.inputs = dense[l].inputs;
        layer.outputs = dense[l].outputs;
        layer.inputStride = roundedUp(layer.inputs + 1, lanes);
        layer.outputStride = roundedUp(layer.outputs, lanes);
        layer.activation = activations[l];
        const std::int64_t byInput = (layer.inputs + 1) * layer.outputStride;
        const std::int64_t byOutput = layer.outputs * layer.inputStride;
        layer.masterByOutput = byOutput < byInput;
        layer.masterSize =
            static_cast<std::size_t>(roundedUp(layer.masterByOutput ? byOutput : byInput, lanes));
        // Only forward needs the weights by input, only the gradient of a hidden layer's output
        // those by output.
        if (layer.masterByOutput)
            layer.copySize = static_cast<std::size_t>(byInput);
        else if (l > 0)
            layer.copySize = static_cast<std::size_t>(layer.outputs * layer.byOutputStride(lanes));
        layer.master = m_masterSize;
        layer.copy = m_copiesSize;
        m_parameterCount += static_cast<std::size_t>((layer.inputs + 1) * layer.outputs);
        m_masterSize += layer.masterSize;
        m_copiesSize += layer.copySize;
        m_layers.push_back(layer);
        const std::int64_t columns = layer.masterByOutput ? layer.outputs : layer.inputs + 1;
        const std::int64_t stride = layer.masterByOutput ? layer.inputStride : layer.outputStride;
        for (std::int64_t column = 0; column < columns; column += partColumns) {
            const std::int64_t count = std::min(partColumns, columns - column);
            m_parts.push_back({l, column, count,
                               layer.master + static_cast<std::size_t>(column * stride),
                               static_cast<std::size_t>(count * stride)});
        }
    }
}

void PackedNetwork::pack(std::span<const float> values, float* masters) const
{
    const float* from = values.data(); // weight outputs x inputs row-major, then bias
    for (const PackedLayer& layer : m_layers) {
        float* to = masters + layer.master;
        const float* bias = from + layer.inputs * layer.outputs;
        if (layer.masterByOutput) {
            for (std::int64_t o = 0; o < layer.outputs; ++o) {
                std::copy_n(from + o * layer.inputs, layer.inputs, to + o * layer.inputStride);
                to[o * layer.inputStride + layer.inputs] = bias[o];
            }
        } else {
            transpose(from, layer.inputs, to, layer.outputStride, layer.outputs, layer.inputs);
            std::copy_n(bias, layer.outputs, to + layer.inputs * layer.outputStride);
        }
        from = bias + layer.outputs;
    }
}

void PackedNetwork::unpack(const float* masters, std::span<float> values) const
{
    float* to = values.data();
    for (const PackedLayer& layer : m_layers) {
        const float* from = masters + layer.master;
        float* bias = to + layer.inputs * layer.outputs;
        if (layer.masterByOutput) {
            for (std::int64_t o = 0; o < layer.outputs; ++o) {
                std::copy_n(from + o * layer.inputStride, layer.inputs, to + o * layer.inputs);
                bias[o] = from[o * layer.inputStride + layer.inputs];
            }
        } else {
            transpose(from, layer.outputStride, to, layer.inputs, layer.inputs, layer.outputs);
            std::copy_n(from + layer.inputs * layer.outputStride, layer.outputs, bias);
        }
        to = bias + layer.outputs;
    }
}

void PackedNetwork::setOnes(float* masters) const
{
    for (const PackedLayer& layer : m_layers)
        if (layer.activation && !layer.masterByOutput && layer.outputs < layer.outputStride)
            masters[layer.master
                    + static_cast<std::size_t>(layer.inputs * layer.outputStride + layer.outputs)] =
                1;
}

void PackedNetwork::copyPart(const TileKernels& kernels, const MasterPart& part,
                             const float* masters, float* copies) const
{
    const PackedLayer& layer = m_layers[part.layer];
    if (layer.copySize == 0)
        return;
    const float* from = masters + part.offset;
    float* to = copies + layer.copy;
    if (layer.masterByOutput) {
        kernels.transpose(from, layer.inputStride, to + part.firstColumn, layer.outputStride,
                          part.columns, layer.inputs + 1);
        if (part.firstColumn == 0 && layer.activation && layer.outputs < layer.outputStride)
            to[layer.inputs * layer.outputStride + layer.outputs] = 1; // see setOnes()
    } else { // without the bias
        kernels.transpose(from, layer.outputStride, to + part.firstColumn,
                          layer.byOutputStride(m_lanes),
                          std::min(part.columns, layer.inputs - part.firstColumn), layer.outputs);
    }
}

} // namespace fullbatch
