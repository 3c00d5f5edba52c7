// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/cpu/aligned_floats.h"
#include "core/engine/cpu/packed_network.h"
#include "core/engine/cpu/thread_team.h"
#include "core/engine/cpu/tile_pass.h"
#include "core/engine/loss_scaling.h"
#include "core/engine/optimiser.h"

#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace fullbatch {

/// Where gradient descent stands, in float32 and packed, and its step by the optimiser's rule.
///
/// The position before a step is kept until the next one, so that the last finite parameters are
/// there when a step overflows. Steps do not allocate. Network and kernels must outlive it.
///
/// In a reduced precision the products read rounded weights beside the float32 ones that are
/// stepped. In fp16 gradients have a loss scale, and a step along one that overflowed is skipped.
class Descent
{
public:
    Descent(const PackedNetwork& network, const TileKernels& kernels,
            std::span<const float> initial, const Optimiser& optimiser, Precision precision);

    /// What the kernels read now, for the gradient of so many rows.
    [[nodiscard]] PackedWeights weights(std::size_t rows) const;
    /// Unpacked, in the order of Parameters.
    [[nodiscard]] std::vector<float> parameters() const { return unpacked(now().masters); }
    [[nodiscard]] std::vector<float> lastFiniteParameters() const;
    /// Empty without momentum.
    [[nodiscard]] std::vector<float> velocity() const;
    [[nodiscard]] const LossScale& lossScale() const { return m_lossScale; }
    /// Half the loss scale; false where there is none or it is the smallest.
    bool halveLossScale() { return scalesLoss(m_precision) && m_lossScale.halve(); }

    /// Steps along the mean gradient: the sum of `partials`, in order, divided by `rows`. Returns
    /// the sum of that gradient's squares. The work is shared among the team; the bits do not
    /// depend on its size.
    double step(ThreadTeam& team, std::span<const float* const> partials, std::size_t rows,
                double learningRate);
    /// The same without a step; the mean gradient goes to `gradient`, an array like the masters,
    /// unless it is null.
    double measure(ThreadTeam& team, std::span<const float* const> partials, std::size_t rows,
                   float* gradient);

    /// Both again, for a gradient of the summed loss that is made part by part: gradientOf(member,
    /// part) gives the sums of a part of the masters, which the same member then steps along.
    template <typename GradientOf>
    double stepByParts(ThreadTeam& team, std::size_t rows, double learningRate,
                       const GradientOf& gradientOf)
    {
        const UpdateStretch whole = toNext(rows, learningRate);
        if (scalesLoss(m_precision)) {
            const double squares = measureByParts(team, rows, gradientOf);
            if (!m_lossScale.takesStep(std::isfinite(squares)))
                return squares;
        }
        const UpdateResult result = updateByParts(team, whole, gradientOf);
        arrive(result.finite);
        return result.squares;
    }
    template <typename GradientOf>
    double measureByParts(ThreadTeam& team, std::size_t rows, const GradientOf& gradientOf)
    {
        return updateByParts(team, withoutStep(rows), gradientOf).squares;
    }

    /// Returns to the last finite position when the present one is not finite.
    void rollBack();
    /// Sets a position. Sizes must be those of the present one.
    void set(std::span<const float> parameters, std::span<const float> velocity,
             const LossScale& lossScale);

    /// The present position, to come back to.
    struct Saved
    {
        std::vector<float> masters;
        std::vector<float> velocity;
        bool finite = true;
        LossScale lossScale;
    };
    void save(Saved& saved) const;
    void comeBack(const Saved& saved);

private:
    struct Position
    {
        AlignedFloats masters;
        AlignedFloats velocity; // empty without momentum
    };
    [[nodiscard]] const Position& now() const { return m_positions[m_now]; }
    [[nodiscard]] std::vector<float> unpacked(const AlignedFloats& packed) const;
    [[nodiscard]] UpdateStretch withoutStep(std::size_t rows) const;
    [[nodiscard]] UpdateStretch toNext(std::size_t rows, double learningRate);
    void arrive(bool finite);
    UpdateResult update(ThreadTeam& team, UpdateStretch whole);
    UpdateResult updatePart(UpdateStretch whole, const MasterPart& part, const float* sums);
    template <typename GradientOf>
    UpdateResult updateByParts(ThreadTeam& team, const UpdateStretch& whole,
                               const GradientOf& gradientOf)
    {
        const auto parts = m_network.parts();
        std::atomic<std::size_t> next = 0;
        team.run([&](int member) {
            for (std::size_t i = next++; i < parts.size(); i = next++)
                m_parts[i] = updatePart(whole, parts[i], gradientOf(member, parts[i]));
        });
        return added(m_parts);
    }
    [[nodiscard]] static UpdateResult added(std::span<const UpdateResult> results);
    void copyPart(const MasterPart& part, const float* masters);
    void makeCopies(ThreadTeam* team);

    const PackedNetwork& m_network;
    const TileKernels& m_kernels;
    std::array<Position, 2> m_positions; // the present one and, once stepped, the one before
    Precision m_precision;
    AlignedFloats m_rounded; // the present masters as products read them; empty for fp32
    AlignedFloats m_copies; // of what products read
    LossScale m_lossScale;
    std::size_t m_now = 0;
    bool m_finite = true; // whether the present position is; if not, the other one is
    Optimiser m_optimiser;
    std::vector<UpdateResult> m_stretches; // fixed stretches, added up in order
    std::vector<UpdateResult> m_parts; // likewise
};

} // namespace fullbatch
