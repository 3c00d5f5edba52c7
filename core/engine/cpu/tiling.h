// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/network_shape.h"

#include <algorithm>
#include <cstddef>

namespace fullbatch {

/// How a batch of rows is cut: into tiles that stay in cache, and the tiles into groups that each
/// have a partial gradient. It depends on the network's shape and the number of rows alone, never
/// on the machine or the number of threads, because it fixes the order of every sum.
///
/// A tile has as many rows as let its activations and their gradients fit 1 MiB, in steps of 24, at
/// least 24, at most 96. There are at most 16 groups, fewer for wide networks, whose partial
/// gradients together stay within 64 MiB (one is always there).
class Tiling
{
public:
    explicit Tiling(const NetworkShape& shape);

    /// A part of a sequence: begin .. end - 1.
    struct Range
    {
        std::size_t begin = 0;
        std::size_t end = 0;
    };

    [[nodiscard]] std::size_t tileRows() const { return m_tileRows; }
    [[nodiscard]] std::size_t maximumGroups() const { return m_maximumGroups; }

    /// A mini-batch of at most so many rows is cut into tiles of equal size that are all kept, so
    /// that each weight's gradient is added up, and stepped along, in one go.
    static constexpr std::size_t mostBatchRows = 256;
    static constexpr std::size_t fewestBatchTileRows = 8;
    /// Their number: even where it can be.
    [[nodiscard]] std::size_t batchTiles(std::size_t rows) const
    {
        const std::size_t even = 2 * ((rows + 2 * m_tileRows - 1) / (2 * m_tileRows));
        return std::clamp<std::size_t>(rows / fewestBatchTileRows, 1, even);
    }
    [[nodiscard]] Range rowsOfBatchTile(std::size_t rows, std::size_t tile) const
    {
        const std::size_t count = batchTiles(rows);
        return {tile * rows / count, (tile + 1) * rows / count};
    }

    [[nodiscard]] std::size_t tiles(std::size_t rows) const
    {
        return (rows + m_tileRows - 1) / m_tileRows;
    }
    [[nodiscard]] std::size_t groups(std::size_t rows) const
    {
        return std::min(tiles(rows), m_maximumGroups);
    }
    [[nodiscard]] Range tilesOfGroup(std::size_t rows, std::size_t group) const
    {
        const std::size_t count = tiles(rows);
        return {group * count / groups(rows), (group + 1) * count / groups(rows)};
    }
    [[nodiscard]] Range rowsOfTile(std::size_t rows, std::size_t tile) const
    {
        return {tile * m_tileRows, std::min((tile + 1) * m_tileRows, rows)};
    }

private:
    std::size_t m_tileRows;
    std::size_t m_maximumGroups;
};

} // namespace fullbatch
