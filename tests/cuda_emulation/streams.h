// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/capture.h"
#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/device_work.h"

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <random>
#include <variant>
#include <vector>

namespace fullbatch::emulation {

/// One cudaEventRecord: an event that is recorded again gets another one.
struct Recording
{
    std::weak_ptr<Stream> stream;
    bool done = false;
    std::chrono::steady_clock::time_point time; ///< when done
    std::shared_ptr<Capture> capture; ///< where it was recorded into one
    Clock before; ///< what it comes after, in a capture
};

struct Event
{
    int device = 0;
    unsigned flags = 0;
    std::shared_ptr<Recording> latest; ///< null: never recorded
};

struct RecordEvent
{
    std::shared_ptr<Recording> recording;
};
struct WaitForEvent
{
    std::shared_ptr<Recording> recording;
};
using Operation = std::variant<std::shared_ptr<const DeviceWork>, RecordEvent, WaitForEvent>;

struct Stream
{
    int device = 0;
    unsigned flags = 0;
    std::deque<Operation> queue;
    std::shared_ptr<Capture> capture; ///< null: it does not capture
    bool destroyed = false; ///< its work is still to be done
    Clock joined; ///< captured work that this stream's next work comes after
};

/// All streams with work, those destroyed among them. Work runs only inside waitFor() and
/// advance(), in the calling thread. Used under the machine's lock.
class StreamQueues
{
public:
    void add(std::shared_ptr<Stream> stream) { m_streams.push_back(std::move(stream)); }
    /// A destroyed stream stays until its work is done.
    void remove(const std::shared_ptr<Stream>& stream);
    void clear() { m_streams.clear(); }
    void setOrder(StreamOrder order, std::uint64_t seed);

    /// Runs until the recording is done.
    void waitFor(const Recording& recording);
    /// Runs until the stream is idle.
    void waitFor(const std::shared_ptr<Stream>& stream);
    /// Runs until every stream of the device is idle.
    void waitForDevice(int device);
    /// Runs one operation on the way to an idle stream or a finished recording.
    void advance(const std::shared_ptr<Stream>& stream);

    const std::vector<std::shared_ptr<Stream>>& all() const { return m_streams; }

private:
    void runOne(const std::shared_ptr<Stream>& wanted);
    std::shared_ptr<Stream> choose(const std::shared_ptr<Stream>& wanted);

    std::vector<std::shared_ptr<Stream>> m_streams;
    StreamOrder m_order = StreamOrder::Lazy;
    std::mt19937_64 m_random;
};

} // namespace fullbatch::emulation
