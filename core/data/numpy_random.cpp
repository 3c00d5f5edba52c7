// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/numpy_random.h"

#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace fullbatch {

double NumpyRandom::uniform()
{
    const auto high = static_cast<double>(m_generator() >> 5U); // 27 bits
    const auto low = static_cast<double>(m_generator() >> 6U); // 26 bits
    return (high * 0x1p26 + low) * 0x1p-53;
}

double NumpyRandom::normal()
{
    if (m_nextNormal)
        return *std::exchange(m_nextNormal, std::nullopt);
    double first = 0;
    double second = 0;
    double radius = 0;
    do {
        first = 2.0 * uniform() - 1.0;
        second = 2.0 * uniform() - 1.0;
        radius = first * first + second * second;
    } while (radius >= 1.0 || radius == 0.0);
    const double factor = std::sqrt(-2.0 * std::log(radius) / radius);
    m_nextNormal = factor * first;
    return factor * second;
}

std::uint64_t NumpyRandom::integer(std::uint64_t maximum)
{
    if (maximum == 0)
        return 0;
    const std::uint64_t mask = std::numeric_limits<std::uint64_t>::max()
        >> static_cast<unsigned>(std::countl_zero(maximum));
    const bool wide = maximum > std::numeric_limits<std::uint32_t>::max();
    std::uint64_t value = 0;
    do {
        value = m_generator();
        if (wide)
            value = value << 32U | m_generator();
        value &= mask;
    } while (value > maximum);
    return value;
}

std::vector<std::size_t> NumpyRandom::permutation(std::size_t count)
{
    std::vector<std::size_t> order(count);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t last = count; last-- > 1;)
        std::swap(order[last], order[integer(last)]);
    return order;
}

} // namespace fullbatch
