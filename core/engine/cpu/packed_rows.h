// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "core/engine/cpu/aligned_floats.h"
#include "core/engine/cpu/tile_pass.h"
#include "core/engine/epoch_batches.h"

#include <vector>

namespace fullbatch {

/// The rows of a split as the kernels read them: every row's inputs, the ones unit and zeros, a
/// column of `stride` floats. Immutable; the split must outlive it.
class PackedRows
{
public:
    /// Rounded as products in this precision read them.
    PackedRows(const Split& split, std::int64_t stride, Precision precision);

    [[nodiscard]] std::int64_t stride() const { return m_stride; }
    /// Rows in file order: nothing is copied.
    [[nodiscard]] TileRows inOrder(std::size_t first, std::size_t count) const;

    /// Room for the rows of one tile in any order.
    struct Gathered
    {
        AlignedFloats inputs;
        std::vector<std::int32_t> labels;
        std::vector<std::uint32_t> rows;
    };
    [[nodiscard]] Gathered roomFor(std::size_t tileRows) const;
    /// The rows of the set, copied into `room` unless they lie in file order.
    [[nodiscard]] TileRows tile(const RowSet& set, Gathered& room) const;

private:
    std::int64_t m_stride;
    AlignedFloats m_inputs;
    std::span<const std::int32_t> m_labels;
    std::vector<std::uint32_t> m_rows; // 0, 1, 2, ...
};

/// Columns of features into packed columns.
void packColumns(const float* inputs, std::int64_t features, std::size_t count, float* packed,
                 std::int64_t stride);

} // namespace fullbatch
