// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/kernel_launch.h"

#include "tests/cuda_emulation/api_call.h"
#include "tests/cuda_emulation/kernel_grid.h"

#include <cstdlib>
#include <cxxabi.h>
#include <dlfcn.h>

namespace fullbatch::emulation {
namespace {

constexpr int oldestCapability = 75; ///< for which CUDA 13 makes code

std::string nameOf(const KernelCall& call)
{
    Dl_info found{};
    if (dladdr(call.address, &found) == 0 || found.dli_sname == nullptr
        || found.dli_saddr != call.address)
        return "a kernel with " + call.parameters;
    int status = 0;
    char* const plain = abi::__cxa_demangle(found.dli_sname, nullptr, nullptr, &status);
    std::string name = status == 0 ? plain : found.dli_sname;
    std::free(plain);
    return name.substr(0, name.find('('));
}

bool tooLarge(dim3 grid, dim3 block)
{
    constexpr unsigned maximumThreads = 1024;
    return block.x > maximumThreads || block.y > maximumThreads || block.z > 64
        || std::uint64_t(block.x) * block.y * block.z > maximumThreads || grid.x > 0x7fffffff
        || grid.y > 65535 || grid.z > 65535;
}

cudaError_t checkConfiguration(const cudaLaunchConfig_t& config)
{
    const dim3 grid = config.gridDim;
    const dim3 block = config.blockDim;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0 || block.x == 0 || block.y == 0 || block.z == 0
        || tooLarge(grid, block))
        return cudaErrorInvalidConfiguration;
    if (config.dynamicSmemBytes != 0 || config.numAttrs != 0)
        return cudaErrorNotSupported;
    const EmulatedDevice& device = currentDevice().facts;
    return device.major * 10 + device.minor < oldestCapability ? cudaErrorNoKernelImageForDevice
                                                               : cudaSuccess;
}

/// Pointers must be to device memory or pinned memory: a kernel cannot reach anything else.
std::vector<DeviceRange> watchedAddresses(const KernelCall& call)
{
    const GuardedMemory& memory = machine().deviceMemory;
    std::vector<DeviceRange> watched;
    for (const void* pointer : call.pointers)
        if (!machine().hostMemory.contains(pointer, 1))
            watched.push_back({pointer, 0});
    for (const void* word : call.words)
        if (memory.wasFreed(word) || memory.find(word) != nullptr)
            watched.push_back({word, 0});
    return watched;
}

} // namespace

cudaError_t launchKernel(const cudaLaunchConfig_t* config, KernelCall call)
{
    return apiCall({.name = "cudaLaunchKernelEx"}, [&] {
        if (config == nullptr || call.address == nullptr)
            return cudaErrorInvalidValue;
        if (const cudaError_t error = checkConfiguration(*config); error != cudaSuccess)
            return error;
        const auto stream = machine().streams.find(config->stream);
        if (stream != nullptr && stream->device != threadState().device)
            return cudaErrorInvalidResourceHandle;
        DeviceWork work;
        work.name = nameOf(call);
        work.ranges = watchedAddresses(call);
        work.run = [grid = config->gridDim, block = config->blockDim, body = std::move(call.body)] {
            runGrid(grid, block, body);
            return cudaSuccess;
        };
        return enqueue(config->stream, std::move(work));
    });
}

} // namespace fullbatch::emulation

cudaError_t cudaFuncGetAttributes(cudaFuncAttributes* attributes, const void* kernel)
{
    using namespace fullbatch::emulation;
    return apiCall({.name = "cudaFuncGetAttributes"}, [&] {
        if (attributes == nullptr)
            return cudaErrorInvalidValue;
        if (kernel == nullptr)
            return cudaErrorInvalidDeviceFunction;
        const EmulatedDevice& device = currentDevice().facts;
        if (device.major * 10 + device.minor < oldestCapability)
            return cudaErrorNoKernelImageForDevice;
        *attributes = {};
        attributes->maxThreadsPerBlock = 1024;
        attributes->numRegs = 32;
        attributes->binaryVersion = attributes->ptxVersion = device.major * 10 + device.minor;
        return cudaSuccess;
    });
}
