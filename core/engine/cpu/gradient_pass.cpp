// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/gradient_pass.h"

#include "core/engine/cpu/rounding_pass.h"
#include "core/engine/rounding.h"

namespace fullbatch {

GradientPass::GradientPass(const PackedNetwork& network, const TileKernels& kernels,
                           const Tiling& tiling, ThreadTeam& team, const PackedRows& rows)
    : m_network(network),
      m_tiling(tiling),
      m_team(team),
      m_groupSums(tiling.maximumGroups()),
      m_shares(static_cast<std::size_t>(team.size()))
{
    for (int member = 0; member < team.size(); ++member) {
        m_passes.emplace_back(network, kernels, static_cast<std::int64_t>(tiling.tileRows()));
        m_gathered.push_back(rows.roomFor(tiling.tileRows()));
    }
    for (std::size_t group = 0; group < tiling.maximumGroups(); ++group) {
        m_partialGradients.emplace_back(network.masterSize());
        m_partialPointers.push_back(m_partialGradients.back().data());
    }
}

void GradientPass::shareOut()
{
    const std::size_t members = m_shares.size();
    for (std::size_t member = 0; member < members; ++member) {
        m_shares[member].next.store(m_groups * member / members, std::memory_order_relaxed);
        m_shares[member].end = m_groups * (member + 1) / members;
    }
}

template <typename Work>
void GradientPass::forEachGroup(int member, const Work& work)
{
    for (std::size_t i = 0; i < m_shares.size(); ++i) {
        Share& share = m_shares[(static_cast<std::size_t>(member) + i) % m_shares.size()];
        for (std::size_t group = share.next++; group < share.end; group = share.next++)
            if (!work(group))
                return;
    }
}

std::optional<LossSums> GradientPass::run(const PackedWeights& weights, const PackedRows& rows,
                                          const RowSet& set, Want want, const std::stop_token& stop)
{
    m_groups = m_tiling.groups(set.count);
    shareOut();
    std::atomic<bool> stopped = false;
    m_team.run([&](int member) {
        TilePass& pass = m_passes[static_cast<std::size_t>(member)];
        PackedRows::Gathered& room = m_gathered[static_cast<std::size_t>(member)];
        forEachGroup(member, [&](std::size_t group) {
            LossSums sums;
            const auto [begin, end] = m_tiling.tilesOfGroup(set.count, group);
            for (std::size_t tile = begin; tile < end; ++tile) {
                if (stop.stop_requested()) {
                    stopped = true;
                    return false;
                }
                const auto [first, last] = m_tiling.rowsOfTile(set.count, tile);
                const TileRows tileRows = rows.tile(set.part(first, last), room);
                sums += want == Want::Sums
                    ? pass.loss(weights, tileRows)
                    : pass.gradient(weights, tileRows, m_partialGradients[group].data(),
                                    tile > begin);
            }
            m_groupSums[group].sums = sums;
            return true;
        });
    });
    if (stopped)
        return std::nullopt;
    LossSums sums;
    for (std::size_t group = 0; group < m_groups; ++group)
        sums += m_groupSums[group].sums;
    return sums;
}

Eigen::MatrixXf GradientPass::predict(const PackedWeights& weights, const Eigen::MatrixXf& inputs)
{
    const auto rows = static_cast<std::size_t>(inputs.cols());
    const std::int64_t features = m_network.layers().front().inputs;
    const std::int64_t stride = m_network.layers().front().inputStride;
    const std::int64_t classes = m_network.layers().back().outputs;
    Eigen::MatrixXf logits(classes, inputs.cols());
    m_groups = m_tiling.tiles(rows);
    shareOut();
    m_team.run([&](int member) {
        TilePass& pass = m_passes[static_cast<std::size_t>(member)];
        PackedRows::Gathered& room = m_gathered[static_cast<std::size_t>(member)];
        forEachGroup(member, [&](std::size_t tile) {
            const auto [first, last] = m_tiling.rowsOfTile(rows, tile);
            const auto column = static_cast<Eigen::Index>(first);
            packColumns(inputs.data() + column * features, features, last - first,
                        room.inputs.data(), stride);
            if (roundsInputs(weights.precision))
                roundValues(weights.precision, 1, room.inputs.data(), room.inputs.data(),
                            (last - first) * static_cast<std::size_t>(stride));
            const auto count = static_cast<std::int64_t>(last - first);
            const float* from = pass.forward(weights, room.inputs.data(), count);
            for (std::int64_t s = 0; s < count; ++s)
                std::copy_n(from + s * pass.logitsStride(), classes,
                            logits.data() + (column + s) * classes);
            return true;
        });
    });
    return logits;
}

} // namespace fullbatch
