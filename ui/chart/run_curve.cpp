// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/run_curve.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace fullbatch {

void RunCurve::Extent::include(float value)
{
    if (!std::isfinite(value))
        return;
    largest = empty ? value : std::max(largest, value);
    empty = false;
    if (value > 0)
        smallestPositive = std::min(smallestPositive, value);
    else
        zero = true;
}

void RunCurve::Extent::include(const Extent& other)
{
    if (other.empty)
        return;
    largest = empty ? other.largest : std::max(largest, other.largest);
    smallestPositive = std::min(smallestPositive, other.smallestPositive);
    zero = zero || other.zero;
    empty = false;
}

RunCurve::RunCurve(QString runId, QString runName, std::shared_ptr<const MetricsLog> log,
                   Quantity quantity, int styleIndex)
    : id(std::move(runId)),
      name(std::move(runName)),
      m_log(std::move(log)),
      m_quantity(quantity),
      m_styleIndex(styleIndex),
      m_style(runStyle(styleIndex))
{
}

std::size_t RunCurve::pull(std::size_t atMost)
{
    const bool wasDiverged = !m_marks.empty() && m_marks.back().kind == Mark::Kind::Diverged;
    std::size_t taken = 0;
    while (taken < atMost) {
        const std::size_t first = m_training.size();
        std::span<const EpochMetrics> epochs = m_log->epochs.from(first);
        if (epochs.empty())
            break;
        if (wasDiverged && taken == 0)
            m_marks.pop_back(); // the run went on after all
        epochs = epochs.first(std::min(epochs.size(), atMost - taken));
        m_slice.resize(epochs.size());
        for (std::size_t i = 0; i < epochs.size(); ++i) {
            const auto value = static_cast<float>(valueOf(epochs[i]));
            m_slice[i] = value;
            m_extent.include(value);
            m_notFinite += std::isfinite(value) ? 0U : 1U;
        }
        m_training.append(m_slice);
        taken += epochs.size();
    }
    pullRateChanges();
    const std::size_t size = m_training.size();
    if (taken > 0 && size == m_log->epochs.size() && !std::isfinite(m_slice.back()))
        m_marks.push_back({Mark::Kind::Diverged, size - 1, m_log->epochs[size - 1].learningRate});
    pullTests();
    return taken;
}

bool RunCurve::upToDate() const
{
    return m_training.size() == m_log->epochs.size() && m_test.epochs.size() == m_log->tests.size();
}

double RunCurve::exactValue(std::size_t epoch) const
{
    return valueOf(m_log->epochs[epoch]);
}

double RunCurve::valueOf(const EpochMetrics& epoch) const
{
    if (!std::isfinite(epoch.loss))
        return std::numeric_limits<double>::quiet_NaN();
    return m_quantity == Quantity::TrainingLoss ? epoch.loss
                                                : errorPercent(epoch.wrongRows, m_log->trainRows);
}

void RunCurve::pullRateChanges()
{
    for (; m_rateChanges < m_log->rateChanges.size(); ++m_rateChanges) {
        const RateChange& change = m_log->rateChanges[m_rateChanges];
        if (change.epoch >= m_training.size())
            break;
        if (change.epoch > 0)
            m_marks.push_back({Mark::Kind::RateChanged, change.epoch, change.learningRate});
    }
}

void RunCurve::pullTests()
{
    constexpr std::size_t atMost = 65536;
    const std::size_t first = m_test.epochs.size();
    const std::size_t end = std::min(m_log->tests.size(), first + atMost);
    for (std::size_t i = first; i < end; ++i) {
        const TestMetrics& test = m_log->tests[i];
        const Evaluation& evaluation = test.evaluation;
        double value = std::numeric_limits<double>::quiet_NaN();
        if (std::isfinite(evaluation.loss))
            value = m_quantity == Quantity::TrainingLoss
                ? evaluation.loss
                : errorPercent(evaluation.wrongRows, evaluation.rows);
        const auto rounded = static_cast<float>(value);
        m_extent.include(rounded);
        m_test.epochs.push_back(test.epoch);
        m_test.values.append({&rounded, 1});
    }
}

} // namespace fullbatch
