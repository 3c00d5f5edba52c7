// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"

#include <algorithm>

namespace fullbatch {

/// Some rows of a split, in order: rows `first` .. `first + count - 1`, or, with an order, what
/// that part of the order names.
struct RowSet
{
    std::span<const std::uint32_t> order; ///< empty: file order
    std::size_t first = 0;
    std::size_t count = 0;

    [[nodiscard]] std::size_t row(std::size_t index) const
    {
        return order.empty() ? first + index : order[first + index];
    }
    [[nodiscard]] RowSet part(std::size_t begin, std::size_t end) const
    {
        return {order, first + begin, end - begin};
    }
};

/// How a plan divides one of its epochs into the rows of successive updates.
class EpochBatches
{
public:
    EpochBatches(const TrainingPlan& plan, std::size_t epoch, std::size_t rows) : m_rows(rows)
    {
        if (!plan.batchOrder.empty())
            m_order = plan.batchOrder.subspan(epoch * rows, rows);
        m_batchSize = plan.batchSize == 0 ? rows : std::min(plan.batchSize, rows);
        m_usedRows = plan.dropLast ? rows / m_batchSize * m_batchSize : rows;
    }

    [[nodiscard]] bool full() const { return m_batchSize == m_rows; }
    [[nodiscard]] std::size_t size() const { return (m_usedRows + m_batchSize - 1) / m_batchSize; }
    [[nodiscard]] RowSet operator[](std::size_t batch) const
    {
        const std::size_t first = batch * m_batchSize;
        return {m_order, first, std::min(m_batchSize, m_usedRows - first)};
    }

private:
    std::span<const std::uint32_t> m_order;
    std::size_t m_rows;
    std::size_t m_batchSize;
    std::size_t m_usedRows;
};

} // namespace fullbatch
