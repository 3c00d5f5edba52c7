// SPDX-License-Identifier: GPL-3.0-or-later
// Memory, copies and fills. Copies are stricter than the documentation asks for:
// - from pageable host memory the bytes are taken at the call, as a real device does;
// - from pinned memory they are taken late, so that a buffer that is filled again too early shows;
// - to host memory, pageable too, they are written late, where a real device would make the call
//   wait for pageable memory: the memory must live until the host waits for the stream;
// - freeing does not wait for queued work, because the documentation only says that it may.

#include "tests/cuda_emulation/api_call.h"

#include <cstring>

using namespace fullbatch::emulation;

namespace {

cudaError_t freeIn(GuardedMemory& memory, const void* pointer)
{
    if (pointer == nullptr)
        return cudaSuccess;
    if (const Allocation* const found = memory.find(pointer); found != nullptr) {
        const auto around = memory.damaged();
        if (around != nullptr && around->begin == found->begin)
            noteBrokenRule("The host wrote beyond an allocation of " + std::to_string(found->bytes)
                           + " bytes.");
    }
    return memory.release(pointer) ? cudaSuccess : cudaErrorInvalidValue;
}

/// What a copy is between, once its direction is known.
struct Copy
{
    void* to;
    const void* from;
    std::size_t bytes;
    bool toDevice;
    bool fromDevice;
};

/// Whether the side of a copy is what its direction says.
bool sideIsRight(const void* begin, std::size_t bytes, bool device)
{
    const GuardedMemory& memory = machine().deviceMemory;
    return device ? memory.contains(begin, bytes) : !memory.owns(begin) && begin != nullptr;
}

bool isPinned(const void* begin)
{
    return machine().hostMemory.owns(begin);
}

bool resolve(Copy& copy, cudaMemcpyKind kind)
{
    const GuardedMemory& memory = machine().deviceMemory;
    copy.toDevice = kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice
        || (kind == cudaMemcpyDefault && memory.owns(copy.to));
    copy.fromDevice = kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice
        || (kind == cudaMemcpyDefault && memory.owns(copy.from));
    return (copy.toDevice || copy.fromDevice) && sideIsRight(copy.to, copy.bytes, copy.toDevice)
        && sideIsRight(copy.from, copy.bytes, copy.fromDevice);
}

/// Late, when pinned memory may have been freed already.
cudaError_t hostSideAlive(const void* begin, std::size_t bytes)
{
    if (!isPinned(begin) || machine().hostMemory.contains(begin, bytes))
        return cudaSuccess;
    noteBrokenRule("cudaMemcpyAsync: pinned host memory was freed before the copy was done, or is "
                   "shorter than the copy.");
    return cudaErrorIllegalAddress;
}

cudaError_t copyNow(const Copy& copy)
{
    cudaError_t error = copy.toDevice ? cudaSuccess : hostSideAlive(copy.to, copy.bytes);
    if (error == cudaSuccess && !copy.fromDevice)
        error = hostSideAlive(copy.from, copy.bytes);
    if (error == cudaSuccess)
        std::memcpy(copy.to, copy.from, copy.bytes);
    return error;
}

DeviceWork workOf(const Copy& copy)
{
    DeviceWork work;
    work.name = "cudaMemcpyAsync";
    work.type = cudaGraphNodeTypeMemcpy;
    if (copy.toDevice)
        work.ranges.push_back({copy.to, copy.bytes});
    if (copy.fromDevice)
        work.ranges.push_back({copy.from, copy.bytes});
    if (!copy.fromDevice && !isPinned(copy.from)) {
        const auto* first = static_cast<const std::byte*>(copy.from);
        work.run = [copy, staged = std::vector<std::byte>(first, first + copy.bytes)] {
            return copyNow({copy.to, staged.data(), copy.bytes, copy.toDevice, false});
        };
    } else {
        work.run = [copy] { return copyNow(copy); };
    }
    return work;
}

/// A graph would read or write this memory at every launch, long after its owner may be gone.
bool pageableInCapture(const Copy& copy, const Stream& stream)
{
    if (stream.capture == nullptr)
        return false;
    const bool pageable =
        (!copy.toDevice && !isPinned(copy.to)) || (!copy.fromDevice && !isPinned(copy.from));
    if (pageable) {
        stream.capture->spoilt = true;
        noteBrokenRule("cudaMemcpyAsync: a capture got pageable host memory; use cudaMallocHost.");
    }
    return pageable;
}

} // namespace

cudaError_t cudaMalloc(void** pointer, std::size_t bytes)
{
    return apiCall({.name = "cudaMalloc", .unsafeInCapture = true}, [&] {
        if (pointer == nullptr)
            return cudaErrorInvalidValue;
        *pointer = nullptr;
        GuardedMemory& memory = machine().deviceMemory;
        const int device = threadState().device;
        const std::size_t used = memory.bytesInUse(device);
        if (bytes > currentDevice().facts.memory - used)
            return cudaErrorMemoryAllocation;
        if (bytes > 0)
            *pointer = memory.allocate(bytes, device);
        return cudaSuccess;
    });
}

cudaError_t cudaFree(void* pointer)
{
    return apiCall({.name = "cudaFree", .unsafeInCapture = true, .frees = true},
                   [&] { return freeIn(machine().deviceMemory, pointer); });
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes)
{
    return apiCall({.name = "cudaMallocHost", .unsafeInCapture = true}, [&] {
        if (pointer == nullptr)
            return cudaErrorInvalidValue;
        *pointer = bytes > 0 ? machine().hostMemory.allocate(bytes, 0) : nullptr;
        return cudaSuccess;
    });
}

cudaError_t cudaFreeHost(void* pointer)
{
    return apiCall({.name = "cudaFreeHost", .unsafeInCapture = true, .frees = true},
                   [&] { return freeIn(machine().hostMemory, pointer); });
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total)
{
    return apiCall({.name = "cudaMemGetInfo"}, [&] {
        if (free == nullptr || total == nullptr)
            return cudaErrorInvalidValue;
        *total = currentDevice().facts.memory;
        *free = *total - machine().deviceMemory.bytesInUse(threadState().device);
        return cudaSuccess;
    });
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream)
{
    return apiCall({.name = "cudaMemcpyAsync"}, [&] {
        const auto found = usableStream("cudaMemcpyAsync", stream);
        if (found == nullptr)
            return cudaErrorInvalidResourceHandle;
        if (kind < cudaMemcpyHostToHost || kind > cudaMemcpyDefault)
            return cudaErrorInvalidMemcpyDirection;
        if (bytes == 0)
            return cudaSuccess;
        Copy copy{to, from, bytes, false, false};
        if (!resolve(copy, kind))
            return cudaErrorInvalidValue;
        if (pageableInCapture(copy, *found))
            return cudaErrorStreamCaptureUnsupported;
        return enqueue(stream, workOf(copy));
    });
}

cudaError_t cudaMemsetAsync(void* begin, int value, std::size_t bytes, cudaStream_t stream)
{
    return apiCall({.name = "cudaMemsetAsync"}, [&] {
        if (bytes == 0)
            return cudaSuccess;
        if (!machine().deviceMemory.contains(begin, bytes))
            return cudaErrorInvalidValue;
        DeviceWork work;
        work.name = "cudaMemsetAsync";
        work.type = cudaGraphNodeTypeMemset;
        work.ranges = {{begin, bytes}};
        work.run = [begin, value, bytes] {
            std::memset(begin, value, bytes);
            return cudaSuccess;
        };
        return enqueue(stream, std::move(work));
    });
}
