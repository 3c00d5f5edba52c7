// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/capture.h"

#include "tests/cuda_emulation/machine.h"

#include <algorithm>
#include <set>

namespace fullbatch::emulation {
namespace {

std::set<std::shared_ptr<Capture>> captures()
{
    std::set<std::shared_ptr<Capture>> found;
    for (const auto& stream : machine().queues.all())
        if (stream->capture != nullptr)
            found.insert(stream->capture);
    return found;
}

void merge(Clock& into, const Clock& other)
{
    for (const auto& [stream, count] : other)
        into[stream] = std::max(into[stream], count);
}

/// Whether every stream's captured work comes before the origin's end.
bool allJoined(const Capture& capture, const Clock& end)
{
    return std::all_of(capture.recorded.begin(), capture.recorded.end(), [&](const auto& each) {
        const auto seen = end.find(each.first);
        return seen != end.end() && seen->second == each.second;
    });
}

void leave(const std::shared_ptr<Capture>& capture)
{
    capture->ended = true;
    for (const auto& stream : machine().queues.all())
        if (stream->capture == capture) {
            stream->capture = nullptr;
            stream->joined.clear();
        }
}

} // namespace

cudaError_t joinCapture(const std::shared_ptr<Stream>& stream, const Recording& recording)
{
    const auto& other = recording.capture;
    if (other == nullptr || other->ended) {
        if (stream->capture == nullptr)
            return cudaErrorCapturedEvent;
        // Work outside the capture would be waited for at every launch, or never.
        stream->capture->spoilt = true;
        return other == nullptr ? cudaErrorStreamCaptureIsolation : cudaErrorCapturedEvent;
    }
    if (stream->capture != nullptr && stream->capture != other) {
        stream->capture->spoilt = other->spoilt = true;
        return cudaErrorStreamCaptureMerge;
    }
    stream->capture = other;
    merge(stream->joined, recording.before);
    return other->spoilt ? cudaErrorStreamCaptureInvalidated : cudaSuccess;
}

cudaError_t endCapture(const std::shared_ptr<Stream>& stream, WorkList& works)
{
    const auto capture = stream->capture;
    if (capture == nullptr)
        return cudaErrorIllegalState;
    if (capture->mode != cudaStreamCaptureModeRelaxed
        && capture->thread != std::this_thread::get_id())
        return cudaErrorStreamCaptureWrongThread;
    if (capture->origin.lock() != stream)
        return cudaErrorStreamCaptureUnmatched;
    const bool joined = allJoined(*capture, stream->joined);
    leave(capture);
    if (capture->spoilt)
        return cudaErrorStreamCaptureInvalidated;
    if (!joined)
        return cudaErrorStreamCaptureUnjoined;
    works = std::move(capture->works);
    return cudaSuccess;
}

cudaError_t refuseBesideCaptures(int device)
{
    bool refused = false;
    for (const auto& capture : captures()) {
        const bool mine = capture->thread == std::this_thread::get_id();
        const auto origin = capture->origin.lock();
        const bool sameDevice = origin != nullptr && origin->device == device;
        if (sameDevice || capture->mode == cudaStreamCaptureModeGlobal
            || (mine && capture->mode == cudaStreamCaptureModeThreadLocal)) {
            capture->spoilt = true;
            refused = true;
        }
    }
    return refused ? cudaErrorStreamCaptureUnsupported : cudaSuccess;
}

bool isCapturing(cudaStream_t stream)
{
    const std::lock_guard lock(machine().mutex);
    if (stream != nullptr) {
        const auto found = machine().streams.find(stream);
        return found != nullptr && found->capture != nullptr;
    }
    const auto all = captures();
    return std::any_of(all.begin(), all.end(), [](const auto& capture) {
        return capture->thread == std::this_thread::get_id();
    });
}

} // namespace fullbatch::emulation
