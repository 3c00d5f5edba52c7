// SPDX-License-Identifier: GPL-3.0-or-later
// Streams and events.

#include "tests/cuda_emulation/api_call.h"

using namespace fullbatch::emulation;

namespace {

constexpr unsigned eventFlags =
    cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;

cudaError_t lastingOn(int device)
{
    return machine().devices.at(static_cast<std::size_t>(device)).lasting;
}

/// Waiting for a stream that captures, or in a thread that captures, is refused.
cudaError_t refuseWaiting(const Stream& stream)
{
    if (stream.capture != nullptr) {
        stream.capture->spoilt = true;
        return cudaErrorStreamCaptureUnsupported;
    }
    return cudaSuccess;
}

std::shared_ptr<Event> usableEvent(const char* function, cudaEvent_t event)
{
    auto found = machine().events.find(event);
    if (found == nullptr)
        noteBrokenRule(std::string(function) + " used an event that is not alive.");
    return found;
}

} // namespace

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags)
{
    return apiCall({.name = "cudaStreamCreateWithFlags"}, [&] {
        if (stream == nullptr || flags > cudaStreamNonBlocking)
            return cudaErrorInvalidValue;
        auto made = std::make_shared<Stream>();
        made->device = threadState().device;
        made->flags = flags;
        machine().queues.add(made);
        *stream = machine().streams.add(std::move(made));
        return cudaSuccess;
    });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
    return apiCall({.name = "cudaStreamDestroy", .frees = true}, [&] {
        const auto found = usableStream("cudaStreamDestroy", stream);
        if (found == nullptr)
            return cudaErrorInvalidResourceHandle;
        if (found->capture != nullptr)
            found->capture->spoilt = true;
        machine().streams.remove(stream);
        machine().queues.remove(found);
        return cudaSuccess;
    });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
    return apiCall({.name = "cudaStreamSynchronize", .unsafeInCapture = true}, [&] {
        const auto found = usableStream("cudaStreamSynchronize", stream);
        if (found == nullptr)
            return cudaErrorInvalidResourceHandle;
        if (const cudaError_t error = refuseWaiting(*found); error != cudaSuccess)
            return error;
        machine().queues.waitFor(found);
        return lastingOn(found->device);
    });
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
    return apiCall({.name = "cudaStreamQuery", .unsafeInCapture = true}, [&] {
        const auto found = usableStream("cudaStreamQuery", stream);
        if (found == nullptr)
            return cudaErrorInvalidResourceHandle;
        if (const cudaError_t error = refuseWaiting(*found); error != cudaSuccess)
            return error;
        if (found->queue.empty())
            return cudaSuccess;
        machine().queues.advance(found);
        const cudaError_t lasting = lastingOn(found->device);
        return lasting != cudaSuccess ? lasting : cudaErrorNotReady;
    });
}

cudaError_t cudaDeviceSynchronize()
{
    return apiCall({.name = "cudaDeviceSynchronize", .unsafeInCapture = true}, [&] {
        const int device = threadState().device;
        if (const cudaError_t error = refuseBesideCaptures(device); error != cudaSuccess)
            return error;
        machine().queues.waitForDevice(device);
        return lastingOn(device);
    });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
    return apiCall({.name = "cudaStreamWaitEvent"}, [&] {
        const auto found = usableStream("cudaStreamWaitEvent", stream);
        const auto awaited = usableEvent("cudaStreamWaitEvent", event);
        if (found == nullptr || awaited == nullptr)
            return cudaErrorInvalidResourceHandle;
        if (flags != cudaEventWaitDefault)
            return cudaErrorInvalidValue;
        if (awaited->latest == nullptr)
            return cudaSuccess;
        if (awaited->latest->capture != nullptr || found->capture != nullptr)
            return joinCapture(found, *awaited->latest);
        found->queue.emplace_back(WaitForEvent{awaited->latest});
        return cudaSuccess;
    });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags)
{
    return apiCall({.name = "cudaEventCreateWithFlags"}, [&] {
        if (event == nullptr || (flags & ~eventFlags) != 0)
            return cudaErrorInvalidValue;
        auto made = std::make_shared<Event>();
        made->device = threadState().device;
        made->flags = flags;
        *event = machine().events.add(std::move(made));
        return cudaSuccess;
    });
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
    return apiCall({.name = "cudaEventDestroy", .frees = true}, [&] {
        if (usableEvent("cudaEventDestroy", event) == nullptr)
            return cudaErrorInvalidResourceHandle;
        machine().events.remove(event);
        return cudaSuccess;
    });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
    return apiCall({.name = "cudaEventRecord"}, [&] {
        const auto found = usableStream("cudaEventRecord", stream);
        const auto recorded = usableEvent("cudaEventRecord", event);
        if (found == nullptr || recorded == nullptr || found->device != recorded->device)
            return cudaErrorInvalidResourceHandle;
        if (found->capture != nullptr && found->capture->spoilt)
            return cudaErrorStreamCaptureInvalidated;
        auto made = std::make_shared<Recording>();
        made->stream = found;
        made->capture = found->capture;
        made->before = found->joined;
        recorded->latest = made;
        if (found->capture == nullptr)
            found->queue.emplace_back(RecordEvent{made});
        return cudaSuccess;
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
    return apiCall({.name = "cudaEventSynchronize", .unsafeInCapture = true}, [&] {
        const auto found = usableEvent("cudaEventSynchronize", event);
        if (found == nullptr)
            return cudaErrorInvalidResourceHandle;
        if (found->latest == nullptr)
            return cudaSuccess;
        if (found->latest->capture != nullptr)
            return cudaErrorCapturedEvent;
        machine().queues.waitFor(*found->latest);
        return lastingOn(found->device);
    });
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
    return apiCall({.name = "cudaEventQuery", .unsafeInCapture = true}, [&] {
        const auto found = usableEvent("cudaEventQuery", event);
        if (found == nullptr)
            return cudaErrorInvalidResourceHandle;
        if (found->latest == nullptr || found->latest->done)
            return cudaSuccess;
        if (found->latest->capture != nullptr)
            return cudaErrorCapturedEvent;
        machine().queues.advance(found->latest->stream.lock());
        const cudaError_t lasting = lastingOn(found->device);
        return lasting != cudaSuccess ? lasting : cudaErrorNotReady;
    });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end)
{
    return apiCall({.name = "cudaEventElapsedTime"}, [&] {
        const auto first = usableEvent("cudaEventElapsedTime", start);
        const auto second = usableEvent("cudaEventElapsedTime", end);
        if (milliseconds == nullptr)
            return cudaErrorInvalidValue;
        for (const auto& each : {first, second})
            if (each == nullptr || each->latest == nullptr
                || (each->flags & cudaEventDisableTiming) != 0)
                return cudaErrorInvalidResourceHandle;
        if (!first->latest->done || !second->latest->done)
            return cudaErrorNotReady;
        const std::chrono::duration<float, std::milli> elapsed =
            second->latest->time - first->latest->time;
        *milliseconds = elapsed.count();
        return cudaSuccess;
    });
}
