// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/device_work.h"

#include <cstddef>
#include <map>
#include <memory>
#include <thread>
#include <vector>

namespace fullbatch::emulation {

struct Stream;

using WorkList = std::vector<std::shared_ptr<const DeviceWork>>;
/// How much of each stream's captured work lies before a point.
using Clock = std::map<const Stream*, std::size_t>;

/// Work being recorded instead of queued. It belongs to one thread and begins and ends on one
/// stream; other streams join by waiting for an event of it, and must be joined again at its end.
struct Capture
{
    cudaStreamCaptureMode mode = cudaStreamCaptureModeGlobal;
    std::thread::id thread;
    std::weak_ptr<Stream> origin;
    bool spoilt = false; ///< by a forbidden call; ends in 901
    bool ended = false;
    WorkList works;
    Clock recorded; ///< per stream
};

/// A recorded graph; its nodes run in the order in which they were recorded.
struct Graph
{
    int device = 0;
    WorkList works;
    std::vector<cudaGraphNode_t> nodes; ///< their handles
};

struct Recording;

struct GraphExec
{
    int device = 0;
    std::shared_ptr<const WorkList> works;
    std::shared_ptr<Recording> lastLaunch; ///< launches of one graph run one after another
};

/// Takes a captured event into a waiting stream: the stream joins the event's capture.
cudaError_t joinCapture(const std::shared_ptr<Stream>& stream, const Recording& recording);

/// The outcome of ending a capture on this stream: its graph's work, or the reason why there is
/// none. The capture is over in every case but 401, 903 and 908.
cudaError_t endCapture(const std::shared_ptr<Stream>& stream, WorkList& works);

/// 900 where a capture forbids this thread a call that is unsafe beside it, or `device` has a
/// capture and the call waits for the whole device (-1: it does not). Spoils these captures.
cudaError_t refuseBesideCaptures(int device);

} // namespace fullbatch::emulation
