// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/plan_maker.h"

#include <algorithm>
#include <limits>

namespace fullbatch {

PlanMaker::PlanMaker(const RunSpec& spec, const MetricsLog& log)
    : m_spec(spec),
      m_trainRows(log.trainRows),
      m_sequence(spec.schedule, spec.learningRate, static_cast<std::uint64_t>(spec.epochs))
{
    if (spec.batches.shuffled && !isFullBatch(spec, m_trainRows))
        m_batchOrder.emplace(m_trainRows, spec.seed);
    for (std::size_t i = 0; i < log.rateChanges.size(); ++i)
        m_sequence.setByHand(log.rateChanges[i].epoch, log.rateChanges[i].learningRate);
}

TrainingPlan PlanMaker::plan(std::uint64_t first, std::size_t epochs)
{
    m_rates.clear();
    m_order.clear();
    for (std::uint64_t epoch = first; epoch < first + epochs; ++epoch) {
        m_rates.push_back(m_sequence.at(epoch));
        if (m_batchOrder)
            m_batchOrder->append(epoch, m_order);
    }
    TrainingPlan plan;
    plan.learningRates = m_rates;
    if (!isFullBatch(m_spec, m_trainRows)) {
        plan.batchSize = static_cast<std::size_t>(m_spec.batches.size);
        plan.batchOrder = m_order;
        plan.dropLast = m_spec.batches.dropLast;
    }
    return plan;
}

std::size_t PlanMaker::mostEpochs() const
{
    constexpr std::size_t mostIndexes = std::size_t{1} << 22U;
    return m_batchOrder ? std::max<std::size_t>(1, mostIndexes / m_trainRows)
                        : std::numeric_limits<std::size_t>::max();
}

} // namespace fullbatch
