// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/capture.h"
#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/guarded_memory.h"
#include "tests/cuda_emulation/handle_table.h"
#include "tests/cuda_emulation/streams.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace fullbatch::emulation {

struct Device
{
    EmulatedDevice facts;
    cudaError_t lasting = cudaSuccess; ///< what every later call returns
};

/// The emulated machine: one a process, everything under one lock.
struct Machine
{
    std::recursive_mutex mutex;
    std::uint64_t generation = 1; ///< counts resets
    std::vector<Device> devices{Device{}};
    int driverVersion = CUDART_VERSION;
    std::map<int, cudaError_t> workFaults; ///< by how many pieces of work are still to come
    GuardedMemory deviceMemory{true};
    GuardedMemory hostMemory{false}; ///< of cudaMallocHost
    HandleTable<cudaStream_t, Stream> streams;
    HandleTable<cudaEvent_t, Event> events;
    HandleTable<cudaGraph_t, Graph> graphs;
    HandleTable<cudaGraphExec_t, GraphExec> graphExecs;
    HandleTable<cudaGraphNode_t, const DeviceWork> graphNodes;
    StreamQueues queues;
    std::size_t libraryHandles = 0;
    std::size_t libraryDescriptors = 0;
    const DeviceWork* running = nullptr; ///< for messages
};

/// Never destroyed, so that it outlives every static object that uses it.
Machine& machine();

/// What the runtime keeps for each thread.
struct ThreadState
{
    std::uint64_t generation = 0;
    int device = 0;
    cudaError_t lastError = cudaSuccess;
};
ThreadState& threadState();

Device& currentDevice();

/// Whether an error outlives the call that returned it.
bool isLasting(cudaError_t error);

/// Runs one piece of work on a device: checks its ranges, opens the device's memory, notes what it
/// did wrong. An error lasts. Does nothing on a device that has failed.
void runWork(const DeviceWork& work, int device);

} // namespace fullbatch::emulation
