// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/descent.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace fullbatch {

namespace {

constexpr std::size_t chunkSize = 2048; // parameters that a thread takes at once

std::size_t chunks(std::size_t count)
{
    return (count + chunkSize - 1) / chunkSize;
}

/// Shares the chunks of 0 .. count-1 among the team: work(chunk, begin, end).
template <typename Work>
void forChunks(ThreadTeam& team, std::size_t count, const Work& work)
{
    team.run([&](int member) {
        const auto stride = static_cast<std::size_t>(team.size());
        for (auto chunk = static_cast<std::size_t>(member); chunk < chunks(count); chunk += stride)
            work(chunk, chunk * chunkSize, std::min((chunk + 1) * chunkSize, count));
    });
}

bool allFinite(std::span<const float> values)
{
    // Zero times a value is zero unless the value is infinite or NaN.
    float sum = 0;
    for (const float value : values)
        sum += 0.0F * value;
    return sum == 0.0F;
}

} // namespace

Descent::Descent(std::span<const float> initial, double momentum)
    : m_momentum(static_cast<float>(momentum)),
      m_gradient(initial.size()),
      m_chunkSquares(chunks(initial.size()))
{
    m_positions[0].parameters.assign(initial.begin(), initial.end());
    if (momentum > 0)
        m_positions[0].velocity.resize(initial.size());
    m_positions[1] = m_positions[0];
}

std::span<const float> Descent::lastFiniteParameters() const
{
    return m_positions[m_finite ? m_now : 1 - m_now].parameters;
}

double Descent::addGradient(ThreadTeam& team, std::span<const std::vector<float>> parts,
                            double scale)
{
    const auto factor = static_cast<float>(scale);
    forChunks(team, m_gradient.size(), [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        float* sum = m_gradient.data();
        std::copy(parts[0].data() + begin, parts[0].data() + end, sum + begin);
        for (const std::vector<float>& part : parts.subspan(1)) {
            const float* values = part.data();
            for (std::size_t i = begin; i < end; ++i)
                sum[i] += values[i];
        }
        double squares = 0;
        for (std::size_t i = begin; i < end; ++i) {
            sum[i] *= factor;
            squares += static_cast<double>(sum[i]) * static_cast<double>(sum[i]);
        }
        m_chunkSquares[chunk] = squares;
    });
    return std::accumulate(m_chunkSquares.begin(), m_chunkSquares.end(), 0.0);
}

void Descent::step(ThreadTeam& team, double learningRate)
{
    const auto rate = static_cast<float>(learningRate);
    // A position that is not finite is stepped in place: the other one is the last finite.
    Position& to = m_positions[m_finite ? 1 - m_now : m_now];
    const Position& from = m_positions[m_now];
    std::atomic<bool> finite = true;
    forChunks(team, m_gradient.size(), [&](std::size_t, std::size_t begin, std::size_t end) {
        const float* gradient = m_gradient.data();
        const float* velocity = gradient;
        if (!to.velocity.empty()) {
            const float* oldVelocity = from.velocity.data();
            float* newVelocity = to.velocity.data();
            for (std::size_t i = begin; i < end; ++i)
                newVelocity[i] = m_momentum * oldVelocity[i] + gradient[i];
            velocity = newVelocity;
        }
        const float* oldParameters = from.parameters.data();
        float* newParameters = to.parameters.data();
        for (std::size_t i = begin; i < end; ++i)
            newParameters[i] = oldParameters[i] - rate * velocity[i];
        if (!allFinite({newParameters + begin, end - begin}))
            finite = false;
    });
    if (m_finite)
        m_now = 1 - m_now;
    m_finite = finite;
}

void Descent::rollBack()
{
    if (!m_finite)
        m_now = 1 - m_now;
    m_finite = true;
}

void Descent::set(std::span<const double> parameters, std::span<const double> velocity)
{
    const auto toFloat = [](double value) { return static_cast<float>(value); };
    Position& position = m_positions[m_now];
    std::transform(parameters.begin(), parameters.end(), position.parameters.begin(), toFloat);
    std::transform(velocity.begin(), velocity.end(), position.velocity.begin(), toFloat);
    m_positions[1 - m_now] = position;
    m_finite = allFinite(position.parameters);
}

} // namespace fullbatch
