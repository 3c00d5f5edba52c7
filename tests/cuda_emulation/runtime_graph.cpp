// SPDX-License-Identifier: GPL-3.0-or-later
// Stream capture and graphs. A graph's nodes run in the order in which they were recorded; child
// graphs and the launch flags are refused.

#include "tests/cuda_emulation/api_call.h"

using namespace fullbatch::emulation;

namespace {

void launch(const std::shared_ptr<Stream>& stream, GraphExec& exec)
{
    if (exec.lastLaunch != nullptr)
        stream->queue.emplace_back(WaitForEvent{exec.lastLaunch});
    for (const auto& work : *exec.works)
        stream->queue.emplace_back(work);
    exec.lastLaunch = std::make_shared<Recording>();
    exec.lastLaunch->stream = stream;
    stream->queue.emplace_back(RecordEvent{exec.lastLaunch});
}

} // namespace

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode mode)
{
    return apiCall({.name = "cudaStreamBeginCapture"}, [&] {
        const auto found = usableStream("cudaStreamBeginCapture", stream);
        if (found == nullptr)
            return cudaErrorStreamCaptureUnsupported;
        if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed)
            return cudaErrorInvalidValue;
        if (found->capture != nullptr)
            return cudaErrorIllegalState;
        found->capture = std::make_shared<Capture>();
        found->capture->mode = mode;
        found->capture->thread = std::this_thread::get_id();
        found->capture->origin = found;
        return cudaSuccess;
    });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph)
{
    const std::lock_guard lock(machine().mutex);
    const cudaError_t refused = beginCall({.name = "cudaStreamEndCapture"});
    if (graph != nullptr)
        *graph = nullptr;
    const auto found = usableStream("cudaStreamEndCapture", stream);
    if (found == nullptr)
        return endCall(cudaErrorInvalidResourceHandle);
    auto made = std::make_shared<Graph>();
    made->device = found->device;
    const cudaError_t ended = endCapture(found, made->works);
    if (refused != cudaSuccess)
        return endCall(refused);
    if (ended == cudaSuccess && graph == nullptr)
        return endCall(cudaErrorInvalidValue);
    if (ended == cudaSuccess)
        *graph = machine().graphs.add(std::move(made));
    return endCall(ended);
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status)
{
    return apiCall({.name = "cudaStreamIsCapturing"}, [&] {
        const auto found = usableStream("cudaStreamIsCapturing", stream);
        if (found == nullptr)
            return cudaErrorInvalidResourceHandle;
        if (status == nullptr)
            return cudaErrorInvalidValue;
        *status = cudaStreamCaptureStatusNone;
        if (found->capture != nullptr)
            *status = found->capture->spoilt ? cudaStreamCaptureStatusInvalidated
                                             : cudaStreamCaptureStatusActive;
        return cudaSuccess;
    });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* exec, cudaGraph_t graph, unsigned long long flags)
{
    return apiCall({.name = "cudaGraphInstantiate"}, [&] {
        const auto found = machine().graphs.find(graph);
        if (exec == nullptr || found == nullptr || flags != 0)
            return cudaErrorInvalidValue;
        auto made = std::make_shared<GraphExec>();
        made->device = found->device;
        made->works = std::make_shared<const WorkList>(found->works);
        *exec = machine().graphExecs.add(std::move(made));
        return cudaSuccess;
    });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
    return apiCall({.name = "cudaGraphLaunch"}, [&] {
        const auto found = usableStream("cudaGraphLaunch", stream);
        const auto launched = machine().graphExecs.find(exec);
        if (launched == nullptr)
            return cudaErrorInvalidValue;
        if (found == nullptr || found->device != launched->device)
            return cudaErrorInvalidResourceHandle;
        if (found->capture != nullptr) {
            found->capture->spoilt = true;
            return cudaErrorStreamCaptureUnsupported;
        }
        launch(found, *launched);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
    return apiCall({.name = "cudaGraphDestroy", .frees = true}, [&] {
        const auto removed = machine().graphs.remove(graph);
        if (removed == nullptr)
            return cudaErrorInvalidValue;
        for (const cudaGraphNode_t node : removed->nodes)
            machine().graphNodes.remove(node);
        return cudaSuccess;
    });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
    return apiCall({.name = "cudaGraphExecDestroy", .frees = true}, [&] {
        return machine().graphExecs.remove(exec) == nullptr ? cudaErrorInvalidValue : cudaSuccess;
    });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count)
{
    return apiCall({.name = "cudaGraphGetNodes"}, [&] {
        const auto found = machine().graphs.find(graph);
        if (found == nullptr || count == nullptr)
            return cudaErrorInvalidValue;
        if (found->nodes.empty())
            for (const auto& work : found->works)
                found->nodes.push_back(machine().graphNodes.add(work));
        const std::size_t room = nodes == nullptr ? 0 : *count;
        for (std::size_t i = 0; i < room; ++i)
            nodes[i] = i < found->nodes.size() ? found->nodes[i] : nullptr;
        *count = nodes == nullptr ? found->nodes.size() : std::min(room, found->nodes.size());
        return cudaSuccess;
    });
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type)
{
    return apiCall({.name = "cudaGraphNodeGetType"}, [&] {
        const auto found = machine().graphNodes.find(node);
        if (found == nullptr || type == nullptr)
            return cudaErrorInvalidValue;
        *type = found->type;
        return cudaSuccess;
    });
}
