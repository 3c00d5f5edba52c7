// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cuda_objects.h"

#include "gpu/cuda_error.h"

namespace fullbatch {

namespace {

/// For destructors: a lost device fails them, which must not fail a later call.
void ignore(cudaError_t error)
{
    if (error != cudaSuccess)
        (void)cudaGetLastError();
}

} // namespace

Stream::Stream()
{
    check(cudaStreamCreateWithFlags(&m_stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
}

Stream::~Stream()
{
    ignore(cudaStreamSynchronize(m_stream));
    ignore(cudaStreamDestroy(m_stream));
}

void Stream::synchronize() const
{
    const cudaError_t error = cudaStreamSynchronize(m_stream);
    if (error != cudaSuccess)
        ignore(
            cudaStreamSynchronize(m_stream)); // copies may be on their way to the caller's memory
    check(error, "cudaStreamSynchronize");
}

void Stream::waitFor(cudaEvent_t event) const
{
    check(cudaStreamWaitEvent(m_stream, event, 0), "cudaStreamWaitEvent");
}

Event::Event()
{
    check(cudaEventCreateWithFlags(&m_event, cudaEventDisableTiming), "cudaEventCreateWithFlags");
}

Event::~Event()
{
    ignore(cudaEventDestroy(m_event));
}

void Event::record(const Stream& stream) const
{
    check(cudaEventRecord(m_event, stream.get()), "cudaEventRecord");
}

void Event::synchronize() const
{
    check(cudaEventSynchronize(m_event), "cudaEventSynchronize");
}

Graph::~Graph()
{
    destroy();
}

void Graph::destroy() noexcept
{
    if (m_executable != nullptr)
        ignore(cudaGraphExecDestroy(m_executable));
    if (m_graph != nullptr)
        ignore(cudaGraphDestroy(m_graph));
    m_executable = nullptr;
    m_graph = nullptr;
}

void Graph::begin(const Stream& stream)
{
    // Other threads may allocate and free meanwhile: another engine works there.
    check(cudaStreamBeginCapture(stream.get(), cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCapture");
}

void Graph::abandon(const Stream& stream)
{
    cudaGraph_t graph = nullptr;
    ignore(cudaStreamEndCapture(stream.get(), &graph));
    if (graph != nullptr)
        ignore(cudaGraphDestroy(graph));
}

void Graph::end(const Stream& stream)
{
    const cudaError_t error = cudaStreamEndCapture(stream.get(), &m_graph);
    if (error != cudaSuccess)
        m_graph = nullptr;
    check(error, "cudaStreamEndCapture");
    try {
        check(cudaGraphInstantiate(&m_executable, m_graph, 0), "cudaGraphInstantiate");
    } catch (...) {
        m_executable = nullptr;
        destroy();
        throw;
    }
}

void Graph::launch(const Stream& stream) const
{
    check(cudaGraphLaunch(m_executable, stream.get()), "cudaGraphLaunch");
}

} // namespace fullbatch
