// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/packed_rows.h"

#include "core/engine/cpu/rounding_pass.h"
#include "core/engine/rounding.h"

#include <algorithm>
#include <numeric>

namespace fullbatch {

void packColumns(const float* inputs, std::int64_t features, std::size_t count, float* packed,
                 std::int64_t stride)
{
    for (std::size_t row = 0; row < count; ++row) {
        std::copy_n(inputs, features, packed);
        packed[features] = 1; // the ones unit
        inputs += features;
        packed += stride;
    }
}

PackedRows::PackedRows(const Split& split, std::int64_t stride, Precision precision)
    : m_stride(stride),
      m_inputs(split.rows() * static_cast<std::size_t>(stride)),
      m_labels(split.labels),
      m_rows(split.rows())
{
    packColumns(split.inputs.data(), split.inputs.rows(), split.rows(), m_inputs.data(), stride);
    if (roundsInputs(precision))
        roundValues(precision, 1, m_inputs.data(), m_inputs.data(), m_inputs.size());
    std::iota(m_rows.begin(), m_rows.end(), 0U);
}

TileRows PackedRows::inOrder(std::size_t first, std::size_t count) const
{
    return {m_inputs.data() + first * static_cast<std::size_t>(m_stride), m_labels.data() + first,
            m_rows.data() + first, static_cast<std::int64_t>(count)};
}

PackedRows::Gathered PackedRows::roomFor(std::size_t tileRows) const
{
    Gathered room;
    room.inputs = AlignedFloats(tileRows * static_cast<std::size_t>(m_stride));
    room.labels.resize(tileRows);
    room.rows.resize(tileRows);
    return room;
}

TileRows PackedRows::tile(const RowSet& set, Gathered& room) const
{
    if (set.order.empty())
        return inOrder(set.first, set.count);
    for (std::size_t i = 0; i < set.count; ++i) {
        const std::size_t row = set.row(i);
        const TileRows one = inOrder(row, 1);
        std::copy_n(one.inputs, m_stride,
                    room.inputs.data() + i * static_cast<std::size_t>(m_stride));
        room.labels[i] = *one.labels;
        room.rows[i] = *one.rows;
    }
    return {room.inputs.data(), room.labels.data(), room.rows.data(),
            static_cast<std::int64_t>(set.count)};
}

} // namespace fullbatch
