// SPDX-License-Identifier: GPL-3.0-or-later
// Stream capture and graphs.

#include "tests/cuda_emulation/device_work.h"
#include "tests/cuda_emulation/rule_checks.h"

#include <thread>

namespace fullbatch::emulation {
namespace {

__global__ void addOne(float* to)
{
    *to += 1;
}
__global__ void twice(float* to)
{
    *to *= 2;
}

constexpr cudaStreamCaptureMode threadLocal = cudaStreamCaptureModeThreadLocal;

void begin(SmallProgram& program, cudaStreamCaptureMode mode = threadLocal)
{
    expectSuccess(cudaStreamBeginCapture(program.stream, mode), "begin");
}

/// Ends the capture, which must give no graph.
void expectEnd(SmallProgram& program, cudaError_t error)
{
    cudaGraph_t graph = nullptr;
    expectError(cudaStreamEndCapture(program.stream, &graph), error, "end");
    expect(graph == nullptr, "a graph in spite of an error");
    (void)cudaGetLastError();
}

/// (value + 1) * 2, as a graph.
cudaGraphExec_t stepGraph(SmallProgram& program, float* memory)
{
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t exec = nullptr;
    begin(program);
    expectSuccess(program.launch(1, 1, addOne, memory), "launch");
    expectSuccess(program.launch(1, 1, twice, memory), "launch");
    expectSuccess(cudaStreamEndCapture(program.stream, &graph), "end");
    expectSuccess(cudaGraphInstantiate(&exec, graph, 0), "instantiate");
    expectSuccess(cudaGraphDestroy(graph), "destroy");
    return exec;
}

void graphsReplay()
{
    SmallProgram program;
    float* const memory = program.floats(1);
    program.fill(memory, {0});
    const cudaGraphExec_t exec = stepGraph(program, memory);
    expect(program.read(memory, 1)[0] == 0, "a captured kernel ran");
    for (int i = 0; i < 3; ++i)
        expectSuccess(cudaGraphLaunch(exec, program.stream), "launch");
    expect(program.read(memory, 1)[0] == 14, "the graph's kernels did not run in their order");
    expectSuccess(cudaGraphExecDestroy(exec), "destroy");
    expectError(cudaGraphLaunch(exec, program.stream), cudaErrorInvalidValue, "a dead graph");
}

/// Launches of one graph never overlap, also on two streams.
void graphOnTwoStreams()
{
    setStreamOrder(StreamOrder::Eager);
    SmallProgram program;
    SmallProgram other;
    float* const memory = program.floats(1);
    program.fill(memory, {0});
    expectSuccess(program.wait(), "wait");
    const cudaGraphExec_t exec = stepGraph(program, memory);
    expectSuccess(cudaGraphLaunch(exec, program.stream), "launch");
    expectSuccess(cudaGraphLaunch(exec, other.stream), "launch");
    expectSuccess(other.wait(), "wait");
    expect(program.read(memory, 1)[0] == 6, "launches of one graph ran side by side");
    expectSuccess(cudaGraphExecDestroy(exec), "destroy");
}

void nodesAreKnown()
{
    SmallProgram program;
    float* const memory = program.floats(2);
    begin(program);
    cudaStreamCaptureStatus status{};
    expectSuccess(cudaStreamIsCapturing(program.stream, &status), "status");
    expect(status == cudaStreamCaptureStatusActive, "no active capture");
    expect(isCapturing(program.stream) && isCapturing(nullptr), "isCapturing()");
    expectSuccess(cudaMemsetAsync(memory, 0, 8, program.stream), "fill");
    expectSuccess(program.launch(1, 1, addOne, memory), "launch");
    expectSuccess(cudaMemcpyAsync(memory, memory + 1, 4, cudaMemcpyDeviceToDevice, program.stream),
                  "copy");
    cudaGraph_t graph = nullptr;
    expectSuccess(cudaStreamEndCapture(program.stream, &graph), "end");
    expect(!isCapturing(program.stream) && !isCapturing(nullptr), "isCapturing()");
    std::size_t count = 0;
    expectSuccess(cudaGraphGetNodes(graph, nullptr, &count), "count");
    expect(count == 3, "wrong number of nodes");
    std::vector<cudaGraphNode_t> nodes(count);
    expectSuccess(cudaGraphGetNodes(graph, nodes.data(), &count), "nodes");
    std::vector<cudaGraphNodeType> types(3);
    for (std::size_t i = 0; i < 3; ++i)
        expectSuccess(cudaGraphNodeGetType(nodes[i], &types[i]), "type");
    expect(types
               == std::vector{cudaGraphNodeTypeMemset, cudaGraphNodeTypeKernel,
                              cudaGraphNodeTypeMemcpy},
           "wrong types");
    expectSuccess(cudaGraphDestroy(graph), "destroy");
    expectError(cudaGraphNodeGetType(nodes[0], types.data()), cudaErrorInvalidValue, "a dead node");
}

void memoryFreedBeforeLaunch()
{
    SmallProgram program;
    float* const memory = program.floats(1);
    program.fill(memory, {0});
    const cudaGraphExec_t exec = stepGraph(program, memory);
    expectSuccess(cudaGraphLaunch(exec, program.stream), "launch");
    expectSuccess(program.wait(), "wait");
    program.free(memory);
    expectSuccess(cudaGraphLaunch(exec, program.stream), "launch");
    expectError(program.wait(), cudaErrorIllegalAddress, "wait");
    expectBrokenRule("that has been freed");
    expectError(cudaGraphExecDestroy(exec), cudaErrorIllegalAddress, "destroy");
}

/// A call that a capture forbids: it gives 900, spoils the capture, and later ones give 901.
void expectForbidden(const std::string& name, const std::function<cudaError_t()>& call)
{
    SmallProgram program;
    float* const memory = program.floats(1);
    begin(program);
    expectError(call(), cudaErrorStreamCaptureUnsupported, name);
    expectError(program.launch(1, 1, addOne, memory), cudaErrorStreamCaptureInvalidated, "launch");
    expectEnd(program, cudaErrorStreamCaptureInvalidated);
    expectSuccess(call(), name + " after the capture");
}

void forbiddenCalls()
{
    SmallProgram other;
    cudaEvent_t event = nullptr;
    expectSuccess(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
    expectForbidden("cudaMalloc", [] {
        void* memory = nullptr;
        const cudaError_t error = cudaMalloc(&memory, 4);
        return memory == nullptr ? error : cudaFree(memory);
    });
    expectForbidden("cudaMallocHost", [] {
        void* memory = nullptr;
        const cudaError_t error = cudaMallocHost(&memory, 4);
        return memory == nullptr ? error : cudaFreeHost(memory);
    });
    expectForbidden("cudaFree", [] { return cudaFree(nullptr); });
    expectForbidden("cudaDeviceSynchronize", [] { return cudaDeviceSynchronize(); });
    expectForbidden("cudaStreamSynchronize", [&] { return cudaStreamSynchronize(other.stream); });
    expectForbidden("cudaStreamQuery", [&] { return cudaStreamQuery(other.stream); });
    expectForbidden("cudaEventQuery", [&] { return cudaEventQuery(event); });
    expectForbidden("cudaEventSynchronize", [&] { return cudaEventSynchronize(event); });
    (void)cudaEventDestroy(event);
}

void waitingForACapture()
{
    SmallProgram program;
    begin(program, cudaStreamCaptureModeRelaxed);
    void* memory = nullptr;
    expectSuccess(cudaMalloc(&memory, 4), "cudaMalloc beside a relaxed capture");
    expectSuccess(cudaFree(memory), "cudaFree beside a relaxed capture");
    expectError(program.wait(), cudaErrorStreamCaptureUnsupported, "wait");
    expectEnd(program, cudaErrorStreamCaptureInvalidated);
    begin(program, cudaStreamCaptureModeRelaxed);
    expectError(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported, "the device");
    expectEnd(program, cudaErrorStreamCaptureInvalidated);
}

void otherThreads()
{
    const auto inThread = [](cudaStreamCaptureMode mode) {
        SmallProgram program;
        begin(program, mode);
        cudaError_t error = cudaSuccess;
        std::thread([&] {
            void* memory = nullptr;
            error = cudaMalloc(&memory, 4);
            expect(!isCapturing(nullptr), "the other thread captures nothing");
            if (memory != nullptr)
                (void)cudaFree(memory);
            cudaGraph_t graph = nullptr;
            expectError(cudaStreamEndCapture(program.stream, &graph),
                        cudaErrorStreamCaptureWrongThread, "end in another thread");
        }).join();
        cudaGraph_t graph = nullptr;
        (void)cudaStreamEndCapture(program.stream, &graph);
        if (graph != nullptr)
            expectSuccess(cudaGraphDestroy(graph), "destroy");
        return error;
    };
    expectSuccess(inThread(threadLocal), "cudaMalloc beside another thread's capture");
    expectError(inThread(cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported,
                "cudaMalloc beside a global capture");
}

void endsWithoutBegin()
{
    SmallProgram program;
    expectEnd(program, cudaErrorIllegalState);
    begin(program);
    expectError(cudaStreamBeginCapture(program.stream, threadLocal), cudaErrorIllegalState,
                "begin again");
    cudaGraph_t graph = nullptr;
    expectSuccess(cudaStreamEndCapture(program.stream, &graph), "end");
    expectSuccess(cudaGraphDestroy(graph), "destroy");
}

/// A second stream in a capture: joined by an event, and joined again or not.
cudaError_t secondStream(bool joinedAgain, float& result)
{
    SmallProgram program;
    SmallProgram other;
    float* const memory = program.floats(1);
    program.fill(memory, {3});
    expectSuccess(program.wait(), "wait");
    cudaEvent_t event = nullptr;
    expectSuccess(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
    begin(program);
    expectSuccess(program.launch(1, 1, addOne, memory), "launch");
    expectSuccess(cudaEventRecord(event, program.stream), "record");
    expectSuccess(cudaStreamWaitEvent(other.stream, event, 0), "fork");
    expectSuccess(other.launch(1, 1, twice, memory), "launch");
    expectSuccess(cudaEventRecord(event, other.stream), "record");
    if (joinedAgain)
        expectSuccess(cudaStreamWaitEvent(program.stream, event, 0), "join");
    cudaGraph_t graph = nullptr;
    const cudaError_t error = cudaStreamEndCapture(program.stream, &graph);
    expect(!isCapturing(other.stream), "the second stream still captures");
    if (graph != nullptr) {
        cudaGraphExec_t exec = nullptr;
        expectSuccess(cudaGraphInstantiate(&exec, graph, 0), "instantiate");
        expectSuccess(cudaGraphLaunch(exec, program.stream), "launch");
        result = program.read(memory, 1)[0];
        expectSuccess(cudaGraphExecDestroy(exec), "destroy");
        expectSuccess(cudaGraphDestroy(graph), "destroy");
    }
    (void)cudaEventDestroy(event);
    return error;
}

void otherStreams()
{
    float result = 0;
    expectError(secondStream(false, result), cudaErrorStreamCaptureUnjoined, "unjoined");
    expectSuccess(secondStream(true, result), "joined");
    expect(result == 8, "the joined graph's result");
    SmallProgram program;
    SmallProgram other;
    cudaEvent_t event = nullptr;
    expectSuccess(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
    expectSuccess(cudaEventRecord(event, other.stream), "record");
    begin(program);
    expectError(cudaStreamWaitEvent(program.stream, event, 0), cudaErrorStreamCaptureIsolation,
                "an event from outside");
    expectEnd(program, cudaErrorStreamCaptureInvalidated);
    begin(program, cudaStreamCaptureModeRelaxed);
    expectSuccess(cudaEventRecord(event, program.stream), "record");
    expectError(cudaEventQuery(event), cudaErrorCapturedEvent, "a captured event");
    cudaGraph_t graph = nullptr;
    expectSuccess(cudaStreamEndCapture(program.stream, &graph), "end");
    expectSuccess(cudaGraphDestroy(graph), "destroy");
    expectError(cudaStreamWaitEvent(other.stream, event, 0), cudaErrorCapturedEvent,
                "an event of an ended capture");
    (void)cudaEventDestroy(event);
}

void refusedInCapture()
{
    SmallProgram program;
    float* const memory = program.floats(1);
    std::vector<float> host(1);
    begin(program);
    expectError(cudaMemcpyAsync(host.data(), memory, 4, cudaMemcpyDeviceToHost, program.stream),
                cudaErrorStreamCaptureUnsupported, "pageable memory");
    expectBrokenRule("a capture got pageable host memory");
    expectEnd(program, cudaErrorStreamCaptureInvalidated);
    expectError(cudaStreamBeginCapture(nullptr, threadLocal), cudaErrorStreamCaptureUnsupported,
                "the null stream");
    expectBrokenRule("null stream");
    const cudaGraphExec_t exec = stepGraph(program, memory);
    begin(program);
    expectError(cudaGraphLaunch(exec, program.stream), cudaErrorStreamCaptureUnsupported,
                "a graph in a capture");
    expectEnd(program, cudaErrorStreamCaptureInvalidated);
    expectSuccess(cudaGraphExecDestroy(exec), "destroy");
}

void failingEnd()
{
    SmallProgram program;
    begin(program);
    failCall("cudaStreamEndCapture", 1, cudaErrorStreamCaptureInvalidated);
    expectEnd(program, cudaErrorStreamCaptureInvalidated);
    expectEnd(program, cudaErrorIllegalState);
}

} // namespace
} // namespace fullbatch::emulation

int main()
{
    using namespace fullbatch::emulation;
    return runRuleChecks({
        {"graphs replay", graphsReplay},
        {"one graph on two streams", graphOnTwoStreams},
        {"nodes are known", nodesAreKnown},
        {"memory is freed before a graph's launch", memoryFreedBeforeLaunch},
        {"forbidden calls in a capture", forbiddenCalls},
        {"waiting for a capture", waitingForACapture},
        {"captures and other threads", otherThreads},
        {"ends without begin", endsWithoutBegin},
        {"captures and other streams", otherStreams},
        {"what a capture refuses", refusedInCapture},
        {"an end that fails", failingEnd},
    });
}
