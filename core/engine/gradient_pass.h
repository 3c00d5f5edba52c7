// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/thread_team.h"
#include "core/engine/tile_pass.h"
#include "core/engine/tiling.h"

#include <optional>

namespace fullbatch {

/// Loss, predictions and partial gradients over any number of rows, shared among the threads of a
/// team. A thread takes group after group; the groups are fixed, so the bits of every partial
/// gradient are the same for any number of threads. run() allocates nothing.
class GradientPass
{
public:
    /// `layout` gives the network's shape. `team` must outlive this object.
    GradientPass(const Parameters& layout, const Tiling& tiling, ThreadTeam& team);

    enum class Want { Sums, SumsAndGradient };

    /// Empty when stopped before the last tile. `parameters` are in the layout of Parameters.
    std::optional<TrainingSums> run(const float* parameters, const Split& split, const RowSet& rows,
                                    Want want, const std::stop_token& stop);

    /// The last run's gradient of the summed loss, one part for each group of its rows.
    [[nodiscard]] std::span<const std::vector<float>> partialGradients() const
    {
        return std::span(m_partialGradients).first(m_groups);
    }

    /// Logits, classes x samples, of inputs, features x samples.
    [[nodiscard]] Eigen::MatrixXf predict(const float* parameters, const Eigen::MatrixXf& inputs,
                                          std::int64_t classes);

private:
    struct alignas(64) GroupSums // a cache line each, so that threads do not share one
    {
        TrainingSums sums;
    };

    Tiling m_tiling;
    ThreadTeam& m_team;
    std::vector<TilePass> m_passes; // one a member of the team
    std::vector<std::vector<float>> m_partialGradients; // one a group
    std::vector<GroupSums> m_groupSums;
    std::size_t m_groups = 0; // of the last run
};

} // namespace fullbatch
