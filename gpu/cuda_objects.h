// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <utility>

namespace fullbatch {

// The runtime's objects as C++ objects: made or EngineError, destroyed whatever state the device is
// in.

/// Work in order, independent of other streams and of the legacy default stream.
class Stream
{
public:
    Stream();
    ~Stream(); ///< waits for what is queued
    Stream(const Stream&) = delete;
    Stream& operator=(const Stream&) = delete;

    [[nodiscard]] cudaStream_t get() const { return m_stream; }
    void synchronize() const;
    void waitFor(cudaEvent_t event) const;

private:
    cudaStream_t m_stream = nullptr;
};

/// A point in a stream's work.
class Event
{
public:
    Event();
    ~Event();
    Event(const Event&) = delete;
    Event& operator=(const Event&) = delete;

    [[nodiscard]] cudaEvent_t get() const { return m_event; }
    void record(const Stream& stream) const;
    void synchronize() const;

private:
    cudaEvent_t m_event = nullptr;
};

/// Work captured once, to be launched often.
class Graph
{
public:
    Graph() = default;
    /// Captures what `queue` puts on the stream. Throws EngineError when the capture fails, with
    /// the stream out of capture again.
    template <typename Queue>
    Graph(const Stream& stream, const Queue& queue)
    {
        begin(stream);
        try {
            queue();
        } catch (...) {
            abandon(stream);
            throw;
        }
        end(stream);
    }
    ~Graph();
    Graph(Graph&& other) noexcept { swap(other); }
    Graph& operator=(Graph&& other) noexcept
    {
        swap(other);
        return *this;
    }

    explicit operator bool() const { return m_executable != nullptr; }
    [[nodiscard]] cudaGraph_t get() const { return m_graph; }
    void launch(const Stream& stream) const;

private:
    static void begin(const Stream& stream);
    static void abandon(const Stream& stream);
    void end(const Stream& stream);
    void destroy() noexcept;
    void swap(Graph& other) noexcept
    {
        std::swap(m_graph, other.m_graph);
        std::swap(m_executable, other.m_executable);
    }

    cudaGraph_t m_graph = nullptr;
    cudaGraphExec_t m_executable = nullptr;
};

} // namespace fullbatch
