// SPDX-License-Identifier: GPL-3.0-or-later
// Streams and events: work runs late, in an order that only streams and events fix.

#include "tests/cuda_emulation/rule_checks.h"

#include <cmath>

namespace fullbatch::emulation {
namespace {

__global__ void store(float* to, float value)
{
    *to = value;
}
__global__ void addOne(float* to)
{
    *to += 1;
}

/// A second stream and an event.
struct Second
{
    Second()
    {
        expectSuccess(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
        expectSuccess(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
    }
    ~Second()
    {
        (void)cudaStreamSynchronize(stream);
        (void)cudaStreamDestroy(stream);
        (void)cudaEventDestroy(event);
    }
    Second(const Second&) = delete;
    Second& operator=(const Second&) = delete;

    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
};

float copiedBeforeWaiting(bool wait)
{
    SmallProgram program;
    float* const memory = program.floats(1);
    float* pinned = nullptr;
    expectSuccess(cudaMallocHost(&pinned, 4), "cudaMallocHost");
    expectSuccess(program.launch(1, 1, store, memory, 3.0F), "launch");
    expectSuccess(cudaMemcpyAsync(pinned, memory, 4, cudaMemcpyDeviceToHost, program.stream),
                  "copy");
    if (wait)
        expectSuccess(program.wait(), "wait");
    const float seen = *pinned;
    expectSuccess(program.wait(), "wait");
    expectSuccess(cudaFreeHost(pinned), "cudaFreeHost");
    return seen;
}

void missingSynchronisation()
{
    expect(std::isnan(copiedBeforeWaiting(false)), "the copy was there before the host waited");
    expect(copiedBeforeWaiting(true) == 3, "the copy was not there after the host waited");
}

/// What the second stream adds to, after the first stream has stored 4.
float addedInSecondStream(bool event)
{
    SmallProgram program;
    Second second;
    float* const memory = program.floats(1);
    program.fill(memory, {0});
    expectSuccess(program.wait(), "wait");
    expectSuccess(program.launch(1, 1, store, memory, 4.0F), "launch");
    expectSuccess(cudaEventRecord(second.event, program.stream), "record");
    if (event)
        expectSuccess(cudaStreamWaitEvent(second.stream, second.event, 0), "wait for event");
    std::swap(program.stream, second.stream);
    expectSuccess(program.launch(1, 1, addOne, memory), "launch");
    expectSuccess(program.wait(), "wait");
    std::swap(program.stream, second.stream);
    return program.read(memory, 1)[0];
}

void missingEvent()
{
    expect(addedInSecondStream(false) == 4, "an unordered stream ran in the lucky order");
    expect(addedInSecondStream(true) == 5, "the event did not order the streams");
    setStreamOrder(StreamOrder::Eager);
    expect(addedInSecondStream(false) == 5, "the eager order did not run the other stream first");
    expect(addedInSecondStream(true) == 5, "the event did not order the streams");
    bool lucky = false;
    bool unlucky = false;
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        setStreamOrder(StreamOrder::Random, seed);
        (addedInSecondStream(false) == 5 ? lucky : unlucky) = true;
        expect(addedInSecondStream(true) == 5, "the event did not order the streams");
    }
    expect(lucky && unlucky, "random orders are all the same");
}

void queriesMakeProgress()
{
    SmallProgram program;
    Second second;
    float* const memory = program.floats(1);
    expectSuccess(cudaStreamQuery(program.stream), "an idle stream");
    expectSuccess(program.launch(1, 1, store, memory, 1.0F), "launch");
    expectSuccess(cudaEventRecord(second.event, program.stream), "record");
    expectError(cudaStreamQuery(program.stream), cudaErrorNotReady, "a busy stream");
    expectError(cudaEventQuery(second.event), cudaErrorNotReady, "an event that is to come");
    expectSuccess(cudaEventQuery(second.event), "an event that has come");
    expectSuccess(cudaStreamQuery(program.stream), "a stream that has become idle");
    expectError(cudaGetLastError(), cudaErrorNotReady, "queries leave an error");
}

void eventsAreSynchronised()
{
    SmallProgram program;
    Second second;
    float* const memory = program.floats(1);
    expectSuccess(cudaEventSynchronize(second.event), "an event that was never recorded");
    expectSuccess(program.launch(1, 1, store, memory, 1.0F), "launch");
    expectSuccess(cudaEventRecord(second.event, program.stream), "record");
    expectSuccess(program.launch(1, 1, addOne, memory), "launch");
    expectSuccess(cudaEventSynchronize(second.event), "synchronise");
    expectSuccess(cudaEventQuery(second.event), "query");
    expectError(cudaStreamQuery(program.stream), cudaErrorNotReady, "work behind the event ran");
}

void timesAreMeasured()
{
    SmallProgram program;
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    float milliseconds = -1;
    expectSuccess(cudaEventCreateWithFlags(&begin, cudaEventDefault), "event");
    expectSuccess(cudaEventCreateWithFlags(&end, cudaEventDefault), "event");
    expectError(cudaEventElapsedTime(&milliseconds, begin, end), cudaErrorInvalidResourceHandle,
                "events that were never recorded");
    expectSuccess(cudaEventRecord(begin, program.stream), "record");
    expectSuccess(cudaEventRecord(end, program.stream), "record");
    expectError(cudaEventElapsedTime(&milliseconds, begin, end), cudaErrorNotReady, "too early");
    expectSuccess(program.wait(), "wait");
    expectSuccess(cudaEventElapsedTime(&milliseconds, begin, end), "time");
    expect(milliseconds >= 0, "no time");
    Second second;
    expectSuccess(cudaEventRecord(second.event, program.stream), "record");
    expectError(cudaEventElapsedTime(&milliseconds, begin, second.event),
                cudaErrorInvalidResourceHandle, "an event without time");
    (void)cudaEventDestroy(begin);
    (void)cudaEventDestroy(end);
}

void nullStream()
{
    SmallProgram program;
    float* const memory = program.floats(1);
    expectError(cudaMemsetAsync(memory, 0, 4, nullptr), cudaErrorInvalidResourceHandle, "fill");
    expectBrokenRule("cudaMemsetAsync used the null stream");
    cudaStream_t own = std::exchange(program.stream, cudaStreamLegacy);
    expectError(program.launch(1, 1, store, memory, 1.0F), cudaErrorInvalidResourceHandle,
                "launch");
    expectBrokenRule("null stream");
    program.stream = nullptr;
    expectError(program.wait(), cudaErrorInvalidResourceHandle, "wait");
    expectBrokenRule("cudaStreamSynchronize used the null stream");
    program.stream = own;
}

void destroyedStreamFinishes()
{
    SmallProgram program;
    Second second;
    float* const memory = program.floats(1);
    program.fill(memory, {1});
    expectSuccess(program.wait(), "wait");
    cudaStream_t other = nullptr;
    expectSuccess(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking), "stream");
    std::swap(other, program.stream);
    expectSuccess(program.launch(1, 1, addOne, memory), "launch");
    std::swap(other, program.stream);
    expectSuccess(cudaEventRecord(second.event, other), "record");
    expectSuccess(cudaStreamDestroy(other), "destroy");
    expectSuccess(cudaEventSynchronize(second.event), "synchronise");
    expect(program.read(memory, 1)[0] == 2, "the work of a destroyed stream was lost");
    expectError(cudaStreamDestroy(other), cudaErrorInvalidResourceHandle, "destroy again");
    expectBrokenRule("a stream that is not alive");
}

void deviceIsSynchronised()
{
    SmallProgram program;
    Second second;
    float* const memory = program.floats(2);
    expectSuccess(program.launch(1, 1, store, memory, 1.0F), "launch");
    std::swap(program.stream, second.stream);
    expectSuccess(program.launch(1, 1, store, memory + 1, 2.0F), "launch");
    std::swap(program.stream, second.stream);
    expectSuccess(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    expectSuccess(cudaStreamQuery(program.stream), "the first stream");
    expectSuccess(cudaStreamQuery(second.stream), "the second stream");
}

} // namespace
} // namespace fullbatch::emulation

int main()
{
    using namespace fullbatch::emulation;
    return runRuleChecks({
        {"a missing synchronisation reads poison", missingSynchronisation},
        {"a missing event shows", missingEvent},
        {"queries make progress", queriesMakeProgress},
        {"events are synchronised", eventsAreSynchronised},
        {"times are measured", timesAreMeasured},
        {"the null stream is refused", nullStream},
        {"a destroyed stream finishes", destroyedStreamFinishes},
        {"the device is synchronised", deviceIsSynchronised},
    });
}
