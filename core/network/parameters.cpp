// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/parameters.h"

#include <new>

namespace fullbatch {

namespace {

std::vector<TensorInfo> tensorTable(const NetworkShape& shape)
{
    std::vector<TensorInfo> tensors;
    std::size_t offset = 0;
    const std::span<const Layer> layers = shape.layers();
    for (std::size_t index = 0; index < layers.size(); ++index) {
        const Layer& layer = layers[index];
        if (layer.kind != LayerKind::Dense)
            continue;
        const std::string module = std::to_string(index);
        tensors.push_back(
            {module + ".weight", index, TensorKind::Weight, layer.outputs, layer.inputs, offset});
        offset += tensors.back().size();
        tensors.push_back({module + ".bias", index, TensorKind::Bias, layer.outputs, 1, offset});
        offset += tensors.back().size();
    }
    return tensors;
}

} // namespace

Parameters::Parameters(const NetworkShape& shape)
{
    const auto count = static_cast<std::size_t>(shape.parameterCount());
    // A saturated count must not reach the table, whose offsets would wrap around.
    if (count > m_values.max_size())
        throw std::bad_alloc();
    m_values.resize(count);
    m_table = std::make_shared<const Table>(Table{shape, tensorTable(shape)});
}

Eigen::Map<RowMajorMatrix> Parameters::view(const TensorInfo& tensor)
{
    return {m_values.data() + tensor.offset, tensor.rows, tensor.columns};
}

Eigen::Map<const RowMajorMatrix> Parameters::view(const TensorInfo& tensor) const
{
    return {m_values.data() + tensor.offset, tensor.rows, tensor.columns};
}

} // namespace fullbatch
