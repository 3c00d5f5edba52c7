// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/descent.h"

#include "core/engine/cpu/rounding_pass.h"
#include "core/engine/rounding.h"

#include <algorithm>
#include <cmath>

namespace fullbatch {

namespace {

constexpr std::size_t stretchSize = 2048; // parameters that a thread takes at once

bool allFinite(std::span<const float> values)
{
    return std::all_of(values.begin(), values.end(),
                       [](float value) { return std::isfinite(value); });
}

} // namespace

Descent::Descent(const PackedNetwork& network, const TileKernels& kernels,
                 std::span<const float> initial, const Optimiser& optimiser, Precision precision)
    : m_network(network),
      m_kernels(kernels),
      m_precision(precision),
      m_rounded(roundsInputs(precision) ? network.masterSize() : 0),
      m_copies(network.copiesSize()),
      m_optimiser(optimiser),
      m_stretches((network.masterSize() + stretchSize - 1) / stretchSize),
      m_parts(network.parts().size())
{
    for (Position& position : m_positions) {
        position.masters = AlignedFloats(network.masterSize());
        if (optimiser.momentum > 0)
            position.velocity = AlignedFloats(network.masterSize());
    }
    set(initial, {}, startingLossScale(precision));
}

PackedWeights Descent::weights(std::size_t rows) const
{
    const float* masters = roundsInputs(m_precision) ? m_rounded.data() : now().masters.data();
    return {masters, m_copies.data(), m_precision,
            m_lossScale.scale * meanShares(m_precision, rows).delta};
}

std::vector<float> Descent::unpacked(const AlignedFloats& packed) const
{
    std::vector<float> values(m_network.parameterCount());
    m_network.unpack(packed.data(), values);
    return values;
}

std::vector<float> Descent::lastFiniteParameters() const
{
    return unpacked(m_positions[m_finite ? m_now : 1 - m_now].masters);
}

std::vector<float> Descent::velocity() const
{
    return now().velocity.size() == 0 ? std::vector<float>() : unpacked(now().velocity);
}

/// Shares the stretches of `whole` among the team.
UpdateResult Descent::update(ThreadTeam& team, UpdateStretch whole)
{
    team.run([&](int member) {
        const auto members = static_cast<std::size_t>(team.size());
        for (auto i = static_cast<std::size_t>(member); i < m_stretches.size(); i += members) {
            UpdateStretch stretch = whole;
            stretch.offset = i * stretchSize;
            stretch.size = std::min(stretchSize, m_network.masterSize() - stretch.offset);
            m_stretches[i] = m_kernels.update(stretch);
        }
    });
    return added(m_stretches);
}

/// Also makes the part's copies, while the new weights are in cache.
UpdateResult Descent::updatePart(UpdateStretch stretch, const MasterPart& part, const float* sums)
{
    float* masters = stretch.newWeights;
    stretch.size = part.size;
    stretch.partials = &sums;
    stretch.partialCount = 1;
    if (masters != nullptr) {
        stretch.weights += part.offset;
        stretch.newWeights += part.offset;
    }
    if (stretch.newVelocity != nullptr) {
        stretch.velocity += part.offset;
        stretch.newVelocity += part.offset;
    }
    const UpdateResult result = m_kernels.update(stretch);
    if (masters != nullptr)
        copyPart(part, masters);
    return result;
}

UpdateResult Descent::added(std::span<const UpdateResult> results)
{
    UpdateResult sum;
    for (const UpdateResult& result : results) {
        sum.squares += result.squares;
        sum.finite = sum.finite && result.finite;
    }
    return sum;
}

UpdateStretch Descent::withoutStep(std::size_t rows) const
{
    UpdateStretch whole;
    whole.inverseRows = meanShares(m_precision, rows).gradient / m_lossScale.scale;
    return whole;
}

UpdateStretch Descent::toNext(std::size_t rows, double learningRate)
{
    // A position that is not finite is stepped in place: the other one is the last finite.
    const Position& from = m_positions[m_now];
    Position& to = m_positions[m_finite ? 1 - m_now : m_now];
    UpdateStretch whole = withoutStep(rows);
    whole.weights = from.masters.data();
    whole.newWeights = to.masters.data();
    if (from.velocity.size() > 0) {
        whole.velocity = from.velocity.data();
        whole.newVelocity = to.velocity.data();
    }
    whole.learningRate = static_cast<float>(learningRate);
    whole.momentum = static_cast<float>(m_optimiser.momentum);
    whole.nesterov = m_optimiser.nesterov;
    return whole;
}

/// At the position that toNext() led to.
void Descent::arrive(bool finite)
{
    if (m_finite)
        m_now = 1 - m_now;
    m_finite = finite;
}

double Descent::step(ThreadTeam& team, std::span<const float* const> partials, std::size_t rows,
                     double learningRate)
{
    UpdateStretch whole = toNext(rows, learningRate);
    if (scalesLoss(m_precision)) {
        const double squares = measure(team, partials, rows, nullptr);
        if (!m_lossScale.takesStep(std::isfinite(squares)))
            return squares;
    }
    whole.partials = partials.data();
    whole.partialCount = partials.size();
    const UpdateResult result = update(team, whole);
    arrive(result.finite);
    makeCopies(&team);
    return result.squares;
}

double Descent::measure(ThreadTeam& team, std::span<const float* const> partials, std::size_t rows,
                        float* gradient)
{
    UpdateStretch whole = withoutStep(rows);
    whole.partials = partials.data();
    whole.partialCount = partials.size();
    whole.gradient = gradient;
    return update(team, whole).squares;
}

/// Of what products read of the masters.
void Descent::copyPart(const MasterPart& part, const float* masters)
{
    if (roundsInputs(m_precision)) {
        roundValues(m_precision, 1, masters + part.offset, m_rounded.data() + part.offset,
                    part.size);
        masters = m_rounded.data();
    }
    m_network.copyPart(m_kernels, part, masters, m_copies.data());
}

void Descent::makeCopies(ThreadTeam* team)
{
    const float* masters = now().masters.data();
    const auto parts = m_network.parts();
    const auto members = static_cast<std::size_t>(team == nullptr ? 1 : team->size());
    const auto copy = [&](int member) {
        for (auto i = static_cast<std::size_t>(member); i < parts.size(); i += members)
            copyPart(parts[i], masters);
    };
    if (team == nullptr)
        copy(0);
    else
        team->run(copy);
}

void Descent::rollBack()
{
    if (!m_finite)
        m_now = 1 - m_now;
    m_finite = true;
    makeCopies(nullptr);
}

void Descent::set(std::span<const float> parameters, std::span<const float> velocity,
                  const LossScale& lossScale)
{
    for (Position& position : m_positions) {
        m_network.pack(parameters, position.masters.data());
        m_network.setOnes(position.masters.data());
        if (!velocity.empty())
            m_network.pack(velocity, position.velocity.data());
    }
    m_finite = allFinite(parameters);
    m_lossScale = lossScale;
    makeCopies(nullptr);
}

void Descent::save(Saved& saved) const
{
    saved.masters.assign(now().masters.values().begin(), now().masters.values().end());
    saved.velocity.assign(now().velocity.values().begin(), now().velocity.values().end());
    saved.finite = m_finite;
    saved.lossScale = m_lossScale;
}

void Descent::comeBack(const Saved& saved)
{
    Position& position = m_positions[m_now];
    std::copy(saved.masters.begin(), saved.masters.end(), position.masters.data());
    std::copy(saved.velocity.begin(), saved.velocity.end(), position.velocity.data());
    m_finite = saved.finite;
    m_lossScale = saved.lossScale;
    makeCopies(nullptr);
}

} // namespace fullbatch
