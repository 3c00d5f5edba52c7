// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/cpu/packed_rows.h"
#include "core/engine/cpu/thread_team.h"
#include "core/engine/cpu/tiling.h"

#include <optional>
#include <stop_token>

namespace fullbatch {

/// Loss, predictions and partial gradients over any number of rows, shared among the threads of a
/// team. A thread takes group after group; the groups are fixed, so the bits of every partial
/// gradient are the same for any number of threads. run() allocates nothing.
class GradientPass
{
public:
    /// Everything given must outlive this object. `rows` are those that may be gathered out of
    /// order.
    GradientPass(const PackedNetwork& network, const TileKernels& kernels, const Tiling& tiling,
                 ThreadTeam& team, const PackedRows& rows);

    enum class Want { Sums, SumsAndGradient };

    /// Empty when stopped before the last tile.
    std::optional<LossSums> run(const PackedWeights& weights, const PackedRows& rows,
                                const RowSet& set, Want want, const std::stop_token& stop);

    /// The last run's gradient of the summed loss, one part for each group of its rows, each an
    /// array like the masters.
    [[nodiscard]] std::span<const float* const> partialGradients() const
    {
        return std::span(m_partialPointers).first(m_groups);
    }

    /// Logits, classes x samples, of inputs, features x samples.
    [[nodiscard]] Eigen::MatrixXf predict(const PackedWeights& weights,
                                          const Eigen::MatrixXf& inputs);

private:
    struct alignas(64) GroupSums // a cache line each, so that threads do not share one
    {
        LossSums sums;
    };
    /// The groups that are one member's by right: as many for each, side by side. Who is done early
    /// helps the others.
    struct alignas(64) Share
    {
        std::atomic<std::size_t> next = 0;
        std::size_t end = 0;
    };
    void shareOut();
    template <typename Work>
    void forEachGroup(int member, const Work& work);

    const PackedNetwork& m_network;
    const Tiling& m_tiling;
    ThreadTeam& m_team;
    std::vector<TilePass> m_passes; // one a member of the team
    std::vector<PackedRows::Gathered> m_gathered; // as m_passes
    std::vector<AlignedFloats> m_partialGradients; // one a group
    std::vector<const float*> m_partialPointers;
    std::vector<GroupSums> m_groupSums;
    std::vector<Share> m_shares; // one a member
    std::size_t m_groups = 0; // of the last run
};

} // namespace fullbatch
