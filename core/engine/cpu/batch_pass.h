// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/cpu/packed_rows.h"
#include "core/engine/cpu/thread_team.h"
#include "core/engine/cpu/tiling.h"

#include <optional>
#include <stop_token>

namespace fullbatch {

/// Loss and gradient of a small batch. All its tiles are kept: first each goes forward and back as
/// far as the activations' gradients, then the weights' gradient is asked for part by part, summed
/// over the tiles in order while the part is in cache. So no gradient of the whole network is ever
/// written, and threads that share the parts need not meet before the next batch. The bits are the
/// same for any number of threads. Only the constructor allocates.
class BatchPass
{
public:
    /// For batches of at most Tiling::mostBatchRows rows. Everything given must outlive this
    /// object.
    BatchPass(const PackedNetwork& network, const TileKernels& kernels, const Tiling& tiling,
              ThreadTeam& team, const PackedRows& rows, std::size_t batchRows);

    [[nodiscard]] bool takes(std::size_t rows) const { return rows <= m_batchRows; }

    /// Empty when stopped before the last tile.
    std::optional<LossSums> run(const PackedWeights& weights, const RowSet& set,
                                const std::stop_token& stop);
    /// Of the last run's summed loss; the part alone, valid until the member's next call.
    [[nodiscard]] const float* gradientOf(int member, const MasterPart& part);

private:
    struct Tile
    {
        TilePass pass;
        PackedRows::Gathered room;
        LossSums sums;
    };
    const Tiling& m_tiling;
    ThreadTeam& m_team;
    const PackedRows& m_rows;
    std::size_t m_batchRows;
    std::vector<Tile> m_tiles;
    std::size_t m_used = 0; // of the tiles, in the last run
    std::vector<AlignedFloats> m_sums; // one a member of the team, as large as the largest part
};

} // namespace fullbatch
