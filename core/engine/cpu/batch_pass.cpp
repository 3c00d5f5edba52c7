// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/batch_pass.h"

#include <atomic>

namespace fullbatch {

BatchPass::BatchPass(const PackedNetwork& network, const TileKernels& kernels, const Tiling& tiling,
                     ThreadTeam& team, const PackedRows& rows, std::size_t batchRows)
    : m_tiling(tiling),
      m_team(team),
      m_rows(rows),
      m_batchRows(batchRows)
{
    // A shorter last batch has fewer tiles, none of them longer than the tiling's.
    const std::size_t tileRows = std::min(m_batchRows, tiling.tileRows());
    for (std::size_t tile = 0; tile < tiling.batchTiles(m_batchRows); ++tile)
        m_tiles.push_back({TilePass(network, kernels, static_cast<std::int64_t>(tileRows),
                                    TilePass::Deltas::Kept),
                           rows.roomFor(tileRows),
                           {}});
    std::size_t largest = 0;
    for (const MasterPart& part : network.parts())
        largest = std::max(largest, part.size);
    for (int member = 0; member < team.size(); ++member)
        m_sums.emplace_back(largest);
}

std::optional<LossSums> BatchPass::run(const PackedWeights& weights, const RowSet& set,
                                       const std::stop_token& stop)
{
    m_used = m_tiling.batchTiles(set.count);
    std::atomic<std::size_t> next = 0;
    std::atomic<bool> stopped = false;
    m_team.run([&](int) {
        for (std::size_t i = next++; i < m_used; i = next++) {
            if (stop.stop_requested()) {
                stopped = true;
                return;
            }
            Tile& tile = m_tiles[i];
            const auto [first, last] = m_tiling.rowsOfBatchTile(set.count, i);
            tile.sums =
                tile.pass.lossAndDeltas(weights, m_rows.tile(set.part(first, last), tile.room));
        }
    });
    if (stopped)
        return std::nullopt;
    LossSums sums;
    for (std::size_t i = 0; i < m_used; ++i)
        sums += m_tiles[i].sums;
    return sums;
}

const float* BatchPass::gradientOf(int member, const MasterPart& part)
{
    float* sums = m_sums[static_cast<std::size_t>(member)].data();
    for (std::size_t i = 0; i < m_used; ++i)
        m_tiles[i].pass.partGradient(part, sums, i > 0);
    return sums;
}

} // namespace fullbatch
