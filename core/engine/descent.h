// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/thread_team.h"

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace fullbatch {

/// Where gradient descent stands, in float32, and its step:
/// velocity = momentum * velocity + gradient, parameters -= rate * velocity (PyTorch's SGD).
///
/// The position before a step is kept until the next one, so that the last finite parameters are
/// there when a step overflows. A plain value; steps do not allocate.
class Descent
{
public:
    Descent(std::span<const float> initial, double momentum);

    [[nodiscard]] std::span<const float> parameters() const { return now().parameters; }
    /// Empty without momentum.
    [[nodiscard]] std::span<const float> velocity() const { return now().velocity; }
    [[nodiscard]] std::span<const float> lastFiniteParameters() const;

    /// Adds up the parts in order, times `scale`: the mean gradient of a batch. Returns the sum of
    /// its squares. The work is shared among the team; the bits do not depend on its size.
    double addGradient(ThreadTeam& team, std::span<const std::vector<float>> parts, double scale);
    /// The mean gradient that addGradient() made.
    [[nodiscard]] std::span<const float> gradient() const { return m_gradient; }

    /// One step along that gradient.
    void step(ThreadTeam& team, double learningRate);
    /// Returns to the last finite position when the present one is not finite.
    void rollBack();
    /// Sets a position. Sizes must be those of the present one.
    void set(std::span<const double> parameters, std::span<const double> velocity);

private:
    struct Position
    {
        std::vector<float> parameters;
        std::vector<float> velocity; // empty without momentum
    };
    [[nodiscard]] const Position& now() const { return m_positions[m_now]; }

    std::array<Position, 2> m_positions; // the present one and, once stepped, the one before
    std::size_t m_now = 0;
    bool m_finite = true; // whether the present position is; if not, the other one is
    float m_momentum;
    std::vector<float> m_gradient;
    std::vector<double> m_chunkSquares; // fixed chunks, added up in order
};

} // namespace fullbatch
