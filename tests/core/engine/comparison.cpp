// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/comparison.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace fullbatch {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// `differs(i)` counted over the common part, and every entry beyond it.
template <typename Differs>
std::size_t count(std::size_t sizeA, std::size_t sizeB, const Differs& differs)
{
    if (sizeA != sizeB)
        return std::max(sizeA, sizeB);
    std::size_t different = 0;
    for (std::size_t i = 0; i < sizeA; ++i)
        different += differs(i) ? 1 : 0;
    return different;
}

template <typename Bits, typename Value>
std::size_t countBits(std::span<const Value> a, std::span<const Value> b)
{
    return count(a.size(), b.size(), [&](std::size_t i) {
        return std::bit_cast<Bits>(a[i]) != std::bit_cast<Bits>(b[i]);
    });
}

double ratio(double difference, double reference)
{
    if (difference == 0)
        return 0;
    const double quotient = difference / reference;
    return std::isnan(quotient) ? infinity : quotient;
}

} // namespace

double normalisedDifference(std::span<const float> values, std::span<const float> reference)
{
    if (values.size() != reference.size())
        return infinity;
    double difference = 0;
    double size = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double expected = reference[i];
        difference += (values[i] - expected) * (values[i] - expected);
        size += expected * expected;
    }
    return ratio(std::sqrt(difference), std::sqrt(size));
}

double relativeDifference(double value, double reference)
{
    return ratio(std::abs(value - reference), std::abs(reference));
}

std::size_t differentBits(std::span<const double> a, std::span<const double> b)
{
    return countBits<std::uint64_t>(a, b);
}

std::size_t differentBits(std::span<const float> a, std::span<const float> b)
{
    return countBits<std::uint32_t>(a, b);
}

std::size_t differentBits(std::span<const EpochMetrics> a, std::span<const EpochMetrics> b)
{
    return count(a.size(), b.size(), [&](std::size_t i) {
        const auto bits = [](double value) { return std::bit_cast<std::uint64_t>(value); };
        return bits(a[i].loss) != bits(b[i].loss)
            || bits(a[i].learningRate) != bits(b[i].learningRate)
            || bits(a[i].gradientNorm) != bits(b[i].gradientNorm)
            || a[i].predictionDigest != b[i].predictionDigest || a[i].wrongRows != b[i].wrongRows;
    });
}

std::size_t differentBits(const EngineState& a, const EngineState& b)
{
    std::size_t different = differentBits(std::span<const double>(a.parameters), b.parameters);
    different += differentBits(std::span<const double>(a.velocity), b.velocity);
    different += a.arithmetic == b.arithmetic ? 0 : 1;
    different += a.epoch == b.epoch ? 0 : 1;
    different += a.lossScale == b.lossScale ? 0 : 1;
    different += a.cleanSteps == b.cleanSteps ? 0 : 1;
    different += a.skippedSteps == b.skippedSteps ? 0 : 1;
    different += a.random == b.random ? 0 : 1;
    return different;
}

void Worst::add(double value, const std::string& place)
{
    const double known = std::isnan(value) ? infinity : value;
    if (m_count == 0 || known > m_value) {
        m_value = known;
        m_place = place;
    }
    ++m_count;
}

CheckResult Worst::result(double bar) const
{
    return {m_count > 0 && m_value <= bar, m_value, bar,
            m_place + ", worst of " + std::to_string(m_count)};
}

} // namespace fullbatch
