// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/gradient_pass.h"

namespace fullbatch {

GradientPass::GradientPass(const Parameters& layout, const Tiling& tiling, ThreadTeam& team)
    : m_tiling(tiling),
      m_team(team),
      m_partialGradients(tiling.maximumGroups(), std::vector<float>(layout.values().size())),
      m_groupSums(tiling.maximumGroups())
{
    m_passes.reserve(static_cast<std::size_t>(team.size()));
    for (int member = 0; member < team.size(); ++member)
        m_passes.emplace_back(layout, tiling.tileRows());
}

std::optional<TrainingSums> GradientPass::run(const float* parameters, const Split& split,
                                              const RowSet& rows, Want want,
                                              const std::stop_token& stop)
{
    m_groups = m_tiling.groups(rows.count);
    std::atomic<std::size_t> nextGroup = 0;
    std::atomic<bool> stopped = false;
    m_team.run([&](int member) {
        TilePass& pass = m_passes[static_cast<std::size_t>(member)];
        for (std::size_t group = nextGroup++; group < m_groups; group = nextGroup++) {
            float* gradient = nullptr;
            if (want == Want::SumsAndGradient) {
                std::vector<float>& partial = m_partialGradients[group];
                std::fill(partial.begin(), partial.end(), 0.0F);
                gradient = partial.data();
            }
            TrainingSums sums;
            const auto [begin, end] = m_tiling.tilesOfGroup(rows.count, group);
            for (std::size_t tile = begin; tile < end; ++tile) {
                if (stop.stop_requested()) {
                    stopped = true;
                    return;
                }
                const auto [first, last] = m_tiling.rowsOfTile(rows.count, tile);
                sums += pass.run(parameters, split, rows.part(first, last), gradient);
            }
            m_groupSums[group].sums = sums;
        }
    });
    if (stopped)
        return std::nullopt;
    TrainingSums sums;
    for (std::size_t group = 0; group < m_groups; ++group)
        sums += m_groupSums[group].sums;
    return sums;
}

Eigen::MatrixXf GradientPass::predict(const float* parameters, const Eigen::MatrixXf& inputs,
                                      std::int64_t classes)
{
    Eigen::MatrixXf logits(classes, inputs.cols());
    const auto rows = static_cast<std::size_t>(inputs.cols());
    const auto features = static_cast<std::size_t>(inputs.rows());
    const auto outputs = static_cast<std::size_t>(classes);
    std::atomic<std::size_t> nextTile = 0;
    m_team.run([&](int member) {
        TilePass& pass = m_passes[static_cast<std::size_t>(member)];
        const std::size_t tiles = m_tiling.tiles(rows);
        for (std::size_t tile = nextTile++; tile < tiles; tile = nextTile++) {
            const auto [first, last] = m_tiling.rowsOfTile(rows, tile);
            const float* tileLogits =
                pass.forward(parameters, inputs.data() + features * first, last - first);
            std::copy_n(tileLogits, outputs * (last - first), logits.data() + outputs * first);
        }
    });
    return logits;
}

} // namespace fullbatch
