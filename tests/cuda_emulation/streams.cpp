// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/streams.h"

#include "tests/cuda_emulation/api_call.h"
#include "tests/cuda_emulation/machine.h"

#include <algorithm>

namespace fullbatch::emulation {
namespace {

/// Why the stream cannot go on; null when it can.
std::shared_ptr<Recording> awaited(const Stream& stream)
{
    if (stream.queue.empty())
        return nullptr;
    const auto* const wait = std::get_if<WaitForEvent>(&stream.queue.front());
    return wait != nullptr && !wait->recording->done ? wait->recording : nullptr;
}

/// The stream that must go on next for `stream` to become idle.
std::shared_ptr<Stream> needed(std::shared_ptr<Stream> stream)
{
    while (const auto recording = awaited(*stream))
        stream = recording->stream.lock();
    return stream;
}

void runFirst(Stream& stream)
{
    const Operation operation = std::move(stream.queue.front());
    stream.queue.pop_front();
    if (const auto* const work = std::get_if<std::shared_ptr<const DeviceWork>>(&operation)) {
        runWork(**work, stream.device);
    } else if (const auto* const record = std::get_if<RecordEvent>(&operation)) {
        record->recording->time = std::chrono::steady_clock::now();
        record->recording->done = true;
    }
}

} // namespace

void StreamQueues::setOrder(StreamOrder order, std::uint64_t seed)
{
    m_order = order;
    m_random.seed(seed);
}

void StreamQueues::remove(const std::shared_ptr<Stream>& stream)
{
    stream->destroyed = true;
    if (stream->queue.empty())
        std::erase(m_streams, stream);
}

std::shared_ptr<Stream> StreamQueues::choose(const std::shared_ptr<Stream>& wanted)
{
    auto next = needed(wanted);
    if (m_order == StreamOrder::Lazy)
        return next;
    std::vector<std::shared_ptr<Stream>> ready;
    for (const auto& stream : m_streams)
        if (!stream->queue.empty() && awaited(*stream) == nullptr
            && (stream != next || m_order == StreamOrder::Random))
            ready.push_back(stream);
    if (ready.empty())
        return next;
    return m_order == StreamOrder::Eager ? ready.front() : ready[m_random() % ready.size()];
}

void StreamQueues::runOne(const std::shared_ptr<Stream>& wanted)
{
    const auto stream = choose(wanted);
    runFirst(*stream);
    if (stream->destroyed)
        remove(stream);
}

void StreamQueues::waitFor(const std::shared_ptr<Stream>& stream)
{
    while (!stream->queue.empty())
        runOne(stream);
    machine().deviceMemory.close();
}

void StreamQueues::waitFor(const Recording& recording)
{
    while (!recording.done)
        runOne(recording.stream.lock());
    machine().deviceMemory.close();
}

void StreamQueues::waitForDevice(int device)
{
    for (bool idle = false; !idle;) {
        const auto busy = std::find_if(m_streams.begin(), m_streams.end(), [&](const auto& each) {
            return each->device == device && !each->queue.empty();
        });
        idle = busy == m_streams.end();
        if (!idle)
            waitFor(std::shared_ptr<Stream>(*busy));
    }
}

void StreamQueues::advance(const std::shared_ptr<Stream>& stream)
{
    runOne(stream);
    machine().deviceMemory.close();
}

cudaError_t enqueue(cudaStream_t stream, DeviceWork work)
{
    const std::lock_guard lock(machine().mutex);
    const auto found = usableStream(work.name.c_str(), stream);
    if (found == nullptr)
        return cudaErrorInvalidResourceHandle;
    const cudaError_t lasting =
        machine().devices.at(static_cast<std::size_t>(found->device)).lasting;
    if (lasting != cudaSuccess)
        return lasting;
    auto kept = std::make_shared<const DeviceWork>(std::move(work));
    if (found->capture == nullptr) {
        found->queue.emplace_back(std::move(kept));
        return cudaSuccess;
    }
    if (found->capture->spoilt)
        return cudaErrorStreamCaptureInvalidated;
    found->capture->works.push_back(std::move(kept));
    found->joined[found.get()] = ++found->capture->recorded[found.get()];
    return cudaSuccess;
}

} // namespace fullbatch::emulation
