// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/machine.h"

#include "tests/cuda_emulation/access_fault.h"
#include "tests/cuda_emulation/faults.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace fullbatch::emulation {
namespace {

/// The error that a test asked this piece of work to end in.
cudaError_t dueFault()
{
    cudaError_t due = cudaSuccess;
    std::map<int, cudaError_t> later;
    for (const auto& [count, error] : machine().workFaults) {
        if (count == 1)
            due = error;
        else
            later[count - 1] = error;
    }
    machine().workFaults = std::move(later);
    return due;
}

cudaError_t checkRanges(const DeviceWork& work, int device)
{
    for (const DeviceRange& range : work.ranges) {
        const Allocation* const found = machine().deviceMemory.find(range.begin);
        if (found != nullptr && found->device == device
            && machine().deviceMemory.contains(range.begin, range.bytes))
            continue;
        noteBrokenRule(work.name + " was to run on device " + std::to_string(device) + " with "
                       + (range.bytes > 0 ? std::to_string(range.bytes) + " bytes at " : "")
                       + "an address " + machine().deviceMemory.describe(range.begin) + ".");
        return cudaErrorIllegalAddress;
    }
    return cudaSuccess;
}

cudaError_t runGuarded(const DeviceWork& work)
{
    try {
        return work.run();
    } catch (const std::exception& exception) {
        noteBrokenRule(work.name + ": " + exception.what());
    } catch (...) {
        noteBrokenRule(work.name + " threw something that is no exception.");
    }
    return cudaErrorLaunchFailure;
}

cudaError_t checkSurroundings(const DeviceWork& work)
{
    const Allocation* const damaged = machine().deviceMemory.damaged();
    if (damaged == nullptr)
        return cudaSuccess;
    noteBrokenRule(work.name + " wrote beyond an allocation of " + std::to_string(damaged->bytes)
                   + " bytes.");
    return cudaErrorIllegalAddress;
}

} // namespace

Machine& machine()
{
    static Machine& it = []() -> Machine& {
        explainAccessFaults();
        return *new Machine;
    }();
    return it;
}

ThreadState& threadState()
{
    thread_local ThreadState state;
    if (state.generation != machine().generation)
        state = {machine().generation, 0, cudaSuccess};
    return state;
}

Device& currentDevice()
{
    return machine().devices.at(static_cast<std::size_t>(threadState().device));
}

bool isLasting(cudaError_t error)
{
    constexpr std::array lasting = {cudaErrorECCUncorrectable,   cudaErrorIllegalAddress,
                                    cudaErrorLaunchTimeout,      cudaErrorAssert,
                                    cudaErrorHardwareStackError, cudaErrorIllegalInstruction,
                                    cudaErrorMisalignedAddress,  cudaErrorInvalidAddressSpace,
                                    cudaErrorInvalidPc,          cudaErrorLaunchFailure};
    return std::find(lasting.begin(), lasting.end(), error) != lasting.end();
}

void runWork(const DeviceWork& work, int device)
{
    Machine& it = machine();
    Device& on = it.devices.at(static_cast<std::size_t>(device));
    if (on.lasting != cudaSuccess)
        return;
    on.lasting = dueFault();
    if (on.lasting == cudaSuccess)
        on.lasting = checkRanges(work, device);
    if (on.lasting != cudaSuccess)
        return;
    it.deviceMemory.open(device);
    it.running = &work;
    on.lasting = runGuarded(work);
    it.running = nullptr;
    if (on.lasting == cudaSuccess)
        on.lasting = checkSurroundings(work);
}

bool isDeviceMemory(const void* begin, std::size_t bytes)
{
    const std::lock_guard lock(machine().mutex);
    return machine().deviceMemory.contains(begin, bytes);
}

void reset()
{
    Machine& it = machine();
    const std::lock_guard lock(it.mutex);
    ++it.generation;
    it.queues.clear();
    it.queues.setOrder(StreamOrder::Lazy, 1);
    it.streams.clear();
    it.events.clear();
    it.graphs.clear();
    it.graphExecs.clear();
    it.graphNodes.clear();
    it.deviceMemory.clear();
    it.hostMemory.clear();
    it.libraryHandles = it.libraryDescriptors = 0;
    it.devices = {Device{}};
    it.driverVersion = CUDART_VERSION;
    it.workFaults.clear();
    setThreadOrder(ThreadOrder::Forward);
    forgetFaults();
}

Leaks leaks()
{
    const Machine& it = machine();
    const std::lock_guard lock(machine().mutex);
    return {it.deviceMemory.count(), it.hostMemory.count(), it.streams.size(),
            it.events.size(),        it.graphs.size(),      it.graphExecs.size(),
            it.libraryHandles,       it.libraryDescriptors};
}

void failDeviceWork(int count, cudaError_t error)
{
    const std::lock_guard lock(machine().mutex);
    machine().workFaults[count] = error;
}

void countLibraryObject(bool handle, int change)
{
    const std::lock_guard lock(machine().mutex);
    std::size_t& count = handle ? machine().libraryHandles : machine().libraryDescriptors;
    count += static_cast<std::size_t>(change);
}

void setStreamOrder(StreamOrder order, std::uint64_t seed)
{
    const std::lock_guard lock(machine().mutex);
    machine().queues.setOrder(order, seed);
}

void setDevices(std::vector<EmulatedDevice> devices)
{
    const std::lock_guard lock(machine().mutex);
    ++machine().generation;
    machine().devices.clear();
    for (EmulatedDevice& facts : devices)
        machine().devices.push_back({std::move(facts), cudaSuccess});
}

void setDriverVersion(int version)
{
    const std::lock_guard lock(machine().mutex);
    machine().driverVersion = version;
}

std::size_t deviceMemoryInUse()
{
    const std::lock_guard lock(machine().mutex);
    return machine().deviceMemory.bytesInUse();
}

} // namespace fullbatch::emulation
