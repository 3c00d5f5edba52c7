// SPDX-License-Identifier: GPL-3.0-or-later
// Device memory, pinned memory, copies: what must be caught, and what must pass.

#include "tests/cuda_emulation/rule_checks.h"

#include <cmath>
#include <cstdint>

namespace fullbatch::emulation {
namespace {

__global__ void readAt(const float* from, float* to, long index)
{
    *to = from[index];
}
__global__ void writeAt(float* to, long index)
{
    to[index] = 1;
}

struct Pair
{
    const float* from;
    int padding;
    float* to;
};
__global__ void copyPair(Pair pair)
{
    *pair.to = *pair.from;
}

void copiesRoundTrip()
{
    SmallProgram program;
    float* const memory = program.floats(3);
    program.fill(memory, {1, 2, 3});
    expect(program.read(memory, 3) == std::vector<float>{1, 2, 3}, "values changed");
    float* const second = program.floats(3);
    expectSuccess(cudaMemcpyAsync(second, memory, 12, cudaMemcpyDefault, program.stream), "copy");
    expect(program.read(second, 3) == std::vector<float>{1, 2, 3}, "values changed");
    expectSuccess(cudaMemsetAsync(second, 0, 12, program.stream), "fill");
    expect(program.read(second, 3) == std::vector<float>{0, 0, 0}, "not zero");
}

void freshMemoryIsPoison()
{
    SmallProgram program;
    for (const float value : program.read(program.floats(2000), 2000))
        expect(std::isnan(value), "fresh device memory is not NaN");
    double* pinned = nullptr;
    expectSuccess(cudaMallocHost(&pinned, 16), "cudaMallocHost");
    expect(std::isnan(pinned[1]), "fresh pinned memory is not NaN");
    expectSuccess(cudaFreeHost(pinned), "cudaFreeHost");
}

void allocationsAreAligned()
{
    SmallProgram program;
    for (const std::size_t count : {1U, 63U, 64U, 65U, 1024U, 5000U})
        expect(reinterpret_cast<std::uintptr_t>(program.floats(count)) % 256 == 0,
               "an allocation is not aligned to 256 bytes");
}

void hostTouches()
{
    SmallProgram program;
    float* const memory = program.floats(4);
    program.fill(memory, {1, 2, 3, 4});
    expectSuccess(program.wait(), "wait");
    expectDeath("the host touched device memory inside an allocation of 16 bytes",
                [&] { *static_cast<volatile float*>(memory + 1); });
    expectDeath("the host touched device memory", [&] { memory[0] = 1; });
}

void kernelReadsPastEnd()
{
    SmallProgram program;
    float* const memory = program.floats(64); // its end needs no slack
    float* const target = program.floats(1);
    const auto read = [&](long index) {
        expectSuccess(program.launch(1, 1, readAt, memory, target, index), "launch");
        return program.wait();
    };
    expectSuccess(read(63), "the last element");
    expectDeath("with (const float*, float*, long int) touched device memory 0 bytes past the end "
                "of an allocation of 256 bytes",
                [&] { (void)read(64); });
    expectDeath("touched device memory", [&] { (void)read(-2000); });
}

void kernelWritesIntoSlack()
{
    SmallProgram program;
    float* const memory = program.floats(3);
    expectSuccess(program.launch(1, 1, writeAt, memory, 3L), "launch");
    expectError(program.wait(), cudaErrorIllegalAddress, "wait");
    expectBrokenRule("wrote beyond an allocation of 12 bytes");
}

void kernelWritesBeforeBegin()
{
    SmallProgram program;
    float* const memory = program.floats(3);
    expectSuccess(program.launch(1, 1, writeAt, memory, -1L), "launch");
    expectError(program.wait(), cudaErrorIllegalAddress, "wait");
    expectBrokenRule("wrote beyond an allocation");
}

void freedTooEarly()
{
    SmallProgram program;
    float* const memory = program.floats(4);
    expectSuccess(cudaMemsetAsync(memory, 0, 16, program.stream), "fill");
    program.free(memory);
    expectError(program.wait(), cudaErrorIllegalAddress, "wait");
    expectBrokenRule("cudaMemsetAsync was to run on device 0 with 16 bytes at an address that has "
                     "been freed");
}

void freedInsideStructure()
{
    SmallProgram program;
    float* const memory = program.floats(4);
    float* const target = program.floats(1);
    program.fill(memory, {5, 6, 7, 8});
    expectSuccess(program.launch(1, 1, copyPair, Pair{memory + 2, 0, target}), "launch");
    expect(program.read(target, 1) == std::vector<float>{7}, "wrong value");
    program.free(memory);
    expectSuccess(program.launch(1, 1, copyPair, Pair{memory, 0, target}), "launch");
    expectError(program.wait(), cudaErrorIllegalAddress, "wait");
    expectBrokenRule("freed");
}

void hostTouchesFreed()
{
    SmallProgram program;
    float* const memory = program.floats(4);
    program.free(memory);
    expectDeath("the host touched device memory that has been freed",
                [&] { *static_cast<volatile float*>(memory); });
    float* pinned = nullptr;
    expectSuccess(cudaMallocHost(&pinned, 256), "cudaMallocHost");
    pinned[63] = 1;
    expectDeath("the host touched pinned memory 0 bytes past", [&] { pinned[64] = 1; });
    expectSuccess(cudaFreeHost(pinned), "cudaFreeHost");
    expectDeath("the host touched pinned memory that has been freed", [&] { pinned[0] = 1; });
}

void freedTwice()
{
    float* memory = nullptr;
    expectSuccess(cudaMalloc(&memory, 4), "cudaMalloc");
    expectSuccess(cudaFree(memory), "cudaFree");
    expectError(cudaFree(memory), cudaErrorInvalidValue, "the second cudaFree");
    expectSuccess(cudaFree(nullptr), "cudaFree of nothing");
    expectError(cudaGetLastError(), cudaErrorInvalidValue, "cudaGetLastError");
}

void hostPointerInKernel()
{
    SmallProgram program;
    float* const target = program.floats(1);
    const float value = 1;
    expectSuccess(program.launch(1, 1, readAt, &value, target, 0L), "launch");
    expectError(program.wait(), cudaErrorIllegalAddress, "wait");
    expectBrokenRule("outside every allocation");
}

void wrongDirections()
{
    SmallProgram program;
    float* const memory = program.floats(4);
    std::vector<float> host(4);
    const auto copy = [&](void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
        return cudaMemcpyAsync(to, from, bytes, kind, program.stream);
    };
    expectError(copy(host.data(), memory, 16, cudaMemcpyHostToDevice), cudaErrorInvalidValue,
                "to the device, but the other way");
    expectError(copy(memory, host.data(), 16, cudaMemcpyDeviceToHost), cudaErrorInvalidValue,
                "to the host, but the other way");
    expectError(copy(memory, host.data(), 16, cudaMemcpyDeviceToDevice), cudaErrorInvalidValue,
                "from the device, but from the host");
    expectError(copy(memory, host.data(), 20, cudaMemcpyHostToDevice), cudaErrorInvalidValue,
                "more than there is");
    expectError(copy(memory, host.data(), 16, static_cast<cudaMemcpyKind>(7)),
                cudaErrorInvalidMemcpyDirection, "an unknown direction");
    expectError(cudaMemsetAsync(host.data(), 0, 16, program.stream), cudaErrorInvalidValue,
                "fill of host memory");
    (void)cudaGetLastError();
}

void pageableIsTakenAtOnce()
{
    SmallProgram program;
    float* const memory = program.floats(1);
    std::vector<float> host = {1};
    program.fill(memory, host);
    host[0] = 2;
    expect(program.read(memory, 1) == std::vector<float>{1}, "pageable memory was read late");
}

void pinnedIsTakenLate()
{
    SmallProgram program;
    float* const memory = program.floats(1);
    float* pinned = nullptr;
    expectSuccess(cudaMallocHost(&pinned, 4), "cudaMallocHost");
    *pinned = 1;
    expectSuccess(cudaMemcpyAsync(memory, pinned, 4, cudaMemcpyHostToDevice, program.stream),
                  "copy");
    *pinned = 2;
    expect(program.read(memory, 1) == std::vector<float>{2}, "pinned memory was not read late");
    expectSuccess(cudaMemcpyAsync(pinned, memory, 4, cudaMemcpyDeviceToHost, program.stream),
                  "copy");
    expectSuccess(cudaFreeHost(pinned), "cudaFreeHost");
    expectError(program.wait(), cudaErrorIllegalAddress, "wait");
    expectBrokenRule("pinned host memory was freed before the copy was done");
}

void hostWritesBeyondPinned()
{
    float* pinned = nullptr;
    expectSuccess(cudaMallocHost(&pinned, 12), "cudaMallocHost");
    pinned[3] = 1;
    expectSuccess(cudaFreeHost(pinned), "cudaFreeHost");
    expectBrokenRule("The host wrote beyond an allocation of 12 bytes");
}

void memoryEnds()
{
    setDevices({{.memory = 1000}});
    SmallProgram program;
    float* const half = program.floats(125);
    std::size_t free = 0;
    std::size_t total = 0;
    expectSuccess(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    expect(free == 500 && total == 1000, "wrong figures of free memory");
    void* more = nullptr;
    expectError(cudaMalloc(&more, 501), cudaErrorMemoryAllocation, "too much");
    expect(more == nullptr, "a pointer although there is no memory");
    expectError(cudaPeekAtLastError(), cudaErrorMemoryAllocation, "cudaPeekAtLastError");
    expectError(cudaGetLastError(), cudaErrorMemoryAllocation, "cudaGetLastError");
    expectSuccess(cudaGetLastError(), "the second cudaGetLastError");
    expectSuccess(cudaMalloc(&more, 500), "all of the rest");
    expect(deviceMemoryInUse() == 1000, "wrong memory in use");
    expectSuccess(cudaFree(more), "cudaFree");
    program.free(half);
    expect(deviceMemoryInUse() == 0, "memory in use after freeing");
}

void leaksAreCounted()
{
    void* memory = nullptr;
    void* pinned = nullptr;
    cudaStream_t stream = nullptr;
    cudaEvent_t event = nullptr;
    expectSuccess(cudaMalloc(&memory, 1), "cudaMalloc");
    expectSuccess(cudaMallocHost(&pinned, 1), "cudaMallocHost");
    expectSuccess(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "stream");
    expectSuccess(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), "event");
    countLibraryObject(true, 1);
    expect(leaks() == Leaks{1, 1, 1, 1, 0, 0, 1, 0}, "not all leaks were counted");
    reset();
    expect(leaks() == Leaks{}, "leaks after reset()");
    expectError(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle, "a dead stream");
    expectBrokenRule("a stream that is not alive");
}

} // namespace
} // namespace fullbatch::emulation

int main()
{
    using namespace fullbatch::emulation;
    return runRuleChecks({
        {"copies round trip", copiesRoundTrip},
        {"fresh memory is poison", freshMemoryIsPoison},
        {"allocations are aligned", allocationsAreAligned},
        {"the host touches device memory", hostTouches},
        {"a kernel reads past the end", kernelReadsPastEnd},
        {"a kernel writes into the slack", kernelWritesIntoSlack},
        {"a kernel writes before the begin", kernelWritesBeforeBegin},
        {"memory is freed before its work is done", freedTooEarly},
        {"freed memory inside an argument", freedInsideStructure},
        {"the host touches freed memory", hostTouchesFreed},
        {"memory is freed twice", freedTwice},
        {"a kernel gets a host pointer", hostPointerInKernel},
        {"copies in the wrong direction", wrongDirections},
        {"pageable memory is taken at once", pageableIsTakenAtOnce},
        {"pinned memory is taken late", pinnedIsTakenLate},
        {"the host writes beyond pinned memory", hostWritesBeyondPinned},
        {"device memory ends", memoryEnds},
        {"leaks are counted", leaksAreCounted},
    });
}
