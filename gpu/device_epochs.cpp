// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device_epochs.h"

#include "gpu/cuda_error.h"
#include "gpu/kernels.h"

#include <algorithm>

namespace fullbatch {

DeviceEpochs::DeviceEpochs(DeviceProblem& problem, DeviceDescent& descent,
                           const LaunchOptions& options)
    : m_problem(problem),
      m_descent(descent),
      m_options(options)
{
}

EpochQueue::Launches DeviceEpochs::launches(const TrainingPlan& plan)
{
    prepare(plan);
    if (m_kind == Kind{m_problem.trainRows(), false, false}) {
        return {[this](std::size_t left, double epochSeconds) {
                    return m_graphs->launchSize(left, epochSeconds);
                },
                [this](std::size_t, std::size_t count) { m_graphs->launch(count); }};
    }
    return {[](std::size_t, double) { return std::size_t{1}; },
            [this, &plan](std::size_t epoch, std::size_t) {
                if (m_kind.ordered)
                    sendOrder(plan, epoch);
                m_graphs->launch(1);
            }};
}

void DeviceEpochs::prepare(const TrainingPlan& plan)
{
    const std::size_t rows = m_problem.trainRows();
    const bool full = plan.batchSize == 0 || plan.batchSize >= rows;
    const Kind kind{full ? rows : plan.batchSize, plan.dropLast && !full, !plan.batchOrder.empty()};
    if (m_graphs && kind == m_kind)
        return;
    m_graphs.reset();
    m_kind = kind;
    m_pass = &m_problem.passFor(kind.batchSize);
    if (kind.ordered)
        m_orders = PinnedMemory(EpochQueue::maximumOnTheWay * rows * sizeof(std::uint32_t));
    m_descent.begin(m_problem.stream(), true);
    if (kind.ordered)
        sendOrder(plan, 0);
    queueBatch(batches(), 0);
    if (!full)
        queueMeasurement();
    m_problem.stream().synchronize();
    m_graphs.emplace(
        m_problem.stream(), [this] { queueEpoch(); }, batches().size(), m_options);
}

EpochBatches DeviceEpochs::batches() const
{
    TrainingPlan division;
    division.batchSize = m_kind.batchSize;
    division.dropLast = m_kind.dropLast;
    return {division, 0, m_problem.trainRows()};
}

DeviceProblem::RowWork DeviceEpochs::rowWork(std::size_t meanRows) const
{
    DeviceProblem::RowWork work;
    work.weights = m_descent.productWeights();
    work.state = m_descent.deviceState();
    work.meanRows = static_cast<double>(meanRows);
    return work;
}

/// The epoch before the last one, whose place the order takes, is done when an epoch is queued.
void DeviceEpochs::sendOrder(const TrainingPlan& plan, std::size_t epoch)
{
    const std::size_t rows = m_problem.trainRows();
    auto* place = m_orders.at<std::uint32_t>(epoch % EpochQueue::maximumOnTheWay * rows);
    std::ranges::copy(plan.batchOrder.subspan(epoch * rows, rows), place);
    check(cudaMemcpyAsync(m_problem.buffers().order.data(), place, rows * sizeof(std::uint32_t),
                          cudaMemcpyHostToDevice, m_problem.stream().get()),
          "cudaMemcpyAsync");
}

void DeviceEpochs::queueBatch(const EpochBatches& batches, std::size_t batch) const
{
    const RowSet rows = batches[batch];
    if (batches.full() && !m_kind.ordered) {
        m_problem.queueAllRows(rowWork(rows.count));
    } else {
        const std::uint32_t* order =
            m_kind.ordered ? m_problem.buffers().order.at<std::uint32_t>() : nullptr;
        m_problem.queueRows(*m_pass, SplitName::Train, {order, rows.first, rows.count},
                            rowWork(rows.count));
    }
    UpdateWork update = m_descent.updateWork();
    update.chunks = static_cast<unsigned int>(m_pass->rows().chunks);
    update.gradientShare = meanShares(m_problem.arithmetic(), rows.count).gradient;
    update.epochRows = static_cast<double>(rows.count);
    update.endsEpoch = batches.full() ? 1 : 0;
    m_descent.queueUpdate(m_problem.stream(), update);
}

/// With the end of the epoch.
void DeviceEpochs::queueMeasurement() const
{
    DeviceProblem::RowWork work = rowWork(m_problem.trainRows());
    work.gradient = false;
    m_problem.queueAllRows(work);
    UpdateWork update = m_descent.updateWork();
    update.epochRows = static_cast<double>(m_problem.trainRows());
    update.epochBatches = static_cast<double>(batches().size());
    check(launchEndOfEpoch(m_problem.stream().get(), update), "endOfEpochKernel");
}

/// The same for every epoch of the kind.
void DeviceEpochs::queueEpoch() const
{
    const EpochBatches all = batches();
    for (std::size_t batch = 0; batch < all.size(); ++batch)
        queueBatch(all, batch);
    if (!all.full())
        queueMeasurement();
}

} // namespace fullbatch
