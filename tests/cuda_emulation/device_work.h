// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace fullbatch::emulation {

/// A piece of device memory.
struct DeviceRange
{
    const void* begin = nullptr;
    std::size_t bytes = 0;
};

/// What a device does at one go: a kernel, a copy, a library call.
struct DeviceWork
{
    std::string name; ///< for messages: "lossKernel", "cublasLtMatmul"
    /// Device memory known to be touched. Each range must lie inside one live allocation of the
    /// stream's device when the work runs, also at every launch of a graph: else the work ends in
    /// 700 and a broken rule is noted.
    std::vector<DeviceRange> ranges;
    /// Called late, in the thread that waits, with the memory of the stream's device open. An error
    /// becomes the device's and stays. An exception is noted as a broken rule and becomes 719.
    std::function<cudaError_t()> run;
    cudaGraphNodeType type = cudaGraphNodeTypeKernel; ///< what a captured piece is in its graph
};

/// Queues work on a stream, or records it where the stream captures. Does not count as an API call:
/// the caller asks faultOf() itself. Returns what the API function shall return: 400 for a dead or
/// the null stream, 901 in a spoilt capture, the device's lasting error.
cudaError_t enqueue(cudaStream_t stream, DeviceWork work);

/// Whether the whole range lies inside one live device allocation.
bool isDeviceMemory(const void* begin, std::size_t bytes);

/// Whether the stream captures; for a null stream: whether this thread has begun a capture that
/// has not ended, on any stream.
bool isCapturing(cudaStream_t stream);

/// Notes a broken rule; see brokenRules() in control.h. One sentence: what, where, what to do.
void noteBrokenRule(const std::string& sentence);

} // namespace fullbatch::emulation
