// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/batch_order.h"

#include <numeric>
#include <utility>

namespace fullbatch {

BatchOrder::BatchOrder(std::size_t rows, std::uint64_t seed)
    : m_rows(rows),
      m_seed(static_cast<std::uint32_t>(seed & 0xffffffffU)),
      m_generator(m_seed)
{
}

void BatchOrder::append(std::uint64_t epoch, std::vector<std::uint32_t>& order)
{
    const std::uint64_t draws = m_rows - 1; // of one permutation
    if (epoch < m_next) {
        m_generator.seed(m_seed);
        m_next = 0;
    }
    for (; m_next < epoch; ++m_next)
        m_generator.discard(2 * draws);

    const std::size_t begin = order.size();
    order.resize(begin + m_rows);
    std::iota(order.begin() + static_cast<std::ptrdiff_t>(begin), order.end(), 0U);
    for (std::size_t row = 0; row < draws; ++row)
        std::swap(order[begin + row], order[begin + row + m_generator() % (m_rows - row)]);
    m_generator.discard(draws);
    ++m_next;
}

} // namespace fullbatch
