// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/epoch_queue.h"

#include "core/engine/loss_scaling.h"
#include "gpu/cuda_error.h"

#include <algorithm>
#include <cmath>

namespace fullbatch {

namespace {

constexpr std::size_t ratesAtOnce = rateSlots / 2;

} // namespace

EpochQueue::EpochQueue(const Stream& stream, const EngineBuffers& buffers)
    : m_stream(stream),
      m_buffers(buffers),
      m_rates(rateSlots * sizeof(float)),
      m_records(recordSlots * sizeof(EpochRecord))
{
}

std::size_t EpochQueue::run(std::span<const double> rates, std::span<EpochMetrics> records,
                            const std::stop_token& stop, const Launches& launches)
{
    m_launched = m_read = m_ratesSent = m_completed = 0;
    std::size_t queued = 0;
    bool finite = true;
    while (queued < records.size() && !stop.stop_requested()) {
        if (m_launched - m_read == maximumOnTheWay)
            finite = readOldest(rates, records);
        if (!finite)
            break;
        Launch launch;
        launch.first = queued;
        launch.count = launches.size(records.size() - queued, m_epochSeconds);
        launch.queued = Clock::now();
        sendRates(rates, queued + launch.count);
        launches.queue(launch.first, launch.count);
        queueCopy(launch);
        queued += launch.count;
    }
    while (finite && m_read < m_launched)
        finite = readOldest(rates, records);
    m_copyStream.synchronize(); // launches behind a loss that is not finite only measured
    m_stream.synchronize();
    return m_completed;
}

/// Rates up to `neededEnd`, many at once. The half of the ring that is written belongs to epochs
/// that are long done.
void EpochQueue::sendRates(std::span<const double> rates, std::size_t neededEnd)
{
    while (m_ratesSent < neededEnd) {
        const std::size_t count = std::min(ratesAtOnce, rates.size() - m_ratesSent);
        const std::size_t slot = m_ratesSent % rateSlots;
        std::ranges::transform(rates.subspan(m_ratesSent, count), m_rates.at<float>(slot),
                               [](double rate) { return static_cast<float>(rate); });
        check(cudaMemcpyAsync(m_buffers.rates.at<float>(slot), m_rates.at<float>(slot),
                              count * sizeof(float), cudaMemcpyHostToDevice, m_stream.get()),
              "cudaMemcpyAsync");
        m_ratesSent += count;
    }
}

void EpochQueue::queueCopy(const Launch& launch)
{
    const std::size_t place = m_launched % maximumOnTheWay;
    m_done[place].record(m_stream);
    m_copyStream.waitFor(m_done[place].get());
    for (std::size_t copied = 0; copied < launch.count;) {
        const std::size_t slot = (launch.first + copied) % recordSlots;
        const std::size_t count = std::min(launch.count - copied, recordSlots - slot);
        check(cudaMemcpyAsync(m_records.at<EpochRecord>(slot),
                              m_buffers.records.at<EpochRecord>(slot), count * sizeof(EpochRecord),
                              cudaMemcpyDeviceToHost, m_copyStream.get()),
              "cudaMemcpyAsync");
        copied += count;
    }
    m_copied[place].record(m_copyStream);
    m_onTheWay[place] = launch;
    ++m_launched;
}

/// Fills the records of the oldest launch on the way. False after one whose loss is not finite.
bool EpochQueue::readOldest(std::span<const double> rates, std::span<EpochMetrics> records)
{
    const std::size_t place = m_read % maximumOnTheWay;
    const Launch launch = m_onTheWay[place];
    m_copied[place].synchronize();
    const Clock::time_point now = Clock::now();
    const Clock::time_point began =
        m_read > 0 ? std::max(launch.queued, m_lastRead) : launch.queued;
    m_epochSeconds =
        std::chrono::duration<double>(now - began).count() / static_cast<double>(launch.count);
    m_lastRead = now;
    ++m_read;
    for (std::size_t epoch = launch.first; epoch < launch.first + launch.count; ++epoch) {
        const EpochRecord& record = *m_records.at<EpochRecord>(epoch % recordSlots);
        if (record.scaleExhausted != 0)
            throw lossScaleExhausted();
        records[epoch] = {record.loss, rates[epoch], record.predictionDigest, record.wrongRows,
                          record.gradientNorm};
        ++m_completed;
        if (!std::isfinite(record.loss))
            return false;
    }
    return true;
}

void EpochQueue::drain() noexcept
{
    for (const cudaStream_t stream : {m_stream.get(), m_copyStream.get()})
        if (cudaStreamSynchronize(stream) != cudaSuccess)
            (void)cudaGetLastError();
}

} // namespace fullbatch
