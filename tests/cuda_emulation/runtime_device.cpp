// SPDX-License-Identifier: GPL-3.0-or-later
// Devices, versions and errors. The figures that follow from the compute capability are those of
// the CUDA C++ programming guide's table of technical specifications.

#include "tests/cuda_emulation/api_call.h"

#include <cstdio>
#include <cstring>

using namespace fullbatch::emulation;

namespace {

constexpr int kibibyte = 1024;

/// Null, with the code to return, where there is no such device.
const EmulatedDevice* facts(int device)
{
    const auto& devices = machine().devices;
    const auto index = static_cast<std::size_t>(device);
    return device >= 0 && index < devices.size() ? &devices[index].facts : nullptr;
}

int sharedMemoryPerBlock(const EmulatedDevice& device)
{
    switch (device.major * 10 + device.minor) {
    case 75:
        return 64 * kibibyte;
    case 80:
    case 87:
        return 163 * kibibyte;
    case 90:
    case 100:
    case 103:
        return 227 * kibibyte;
    default:
        return device.major < 8 ? 48 * kibibyte : 99 * kibibyte;
    }
}

int threadsPerMultiprocessor(const EmulatedDevice& device)
{
    switch (device.major * 10 + device.minor) {
    case 75:
        return 1024;
    case 86:
    case 87:
    case 89:
    case 120:
    case 121:
        return 1536;
    default:
        return 2048;
    }
}

void describe(cudaDeviceProp& it, const EmulatedDevice& device, int ordinal)
{
    std::snprintf(it.name, sizeof it.name, "%s", device.name.c_str());
    for (std::size_t i = 0; i < sizeof it.uuid.bytes; ++i)
        it.uuid.bytes[i] = static_cast<char>(16 * static_cast<int>(i) + ordinal);
    it.totalGlobalMem = device.memory;
    it.sharedMemPerBlock = 48 * kibibyte;
    it.sharedMemPerBlockOptin = static_cast<std::size_t>(sharedMemoryPerBlock(device));
    it.sharedMemPerMultiprocessor = it.sharedMemPerBlockOptin + kibibyte;
    it.reservedSharedMemPerBlock = kibibyte;
    it.regsPerBlock = it.regsPerMultiprocessor = 64 * kibibyte;
    it.warpSize = 32;
    it.maxThreadsPerBlock = 1024;
    it.maxThreadsPerMultiProcessor = threadsPerMultiprocessor(device);
    it.maxThreadsDim[0] = it.maxThreadsDim[1] = 1024;
    it.maxThreadsDim[2] = 64;
    it.maxGridSize[0] = 0x7fffffff;
    it.maxGridSize[1] = it.maxGridSize[2] = 65535;
    it.totalConstMem = 64 * kibibyte;
    it.major = device.major;
    it.minor = device.minor;
    it.multiProcessorCount = device.multiprocessors;
    it.l2CacheSize = 50 * kibibyte * kibibyte;
    it.memoryBusWidth = 5120;
    it.canMapHostMemory = it.concurrentKernels = it.unifiedAddressing = 1;
    it.cooperativeLaunch = 1;
    it.asyncEngineCount = 2;
    it.pciBusID = ordinal + 1;
}

/// False for an attribute that the emulation does not know.
bool attribute(int& value, cudaDeviceAttr name, const cudaDeviceProp& it)
{
    switch (name) {
    case cudaDevAttrMaxThreadsPerBlock:
        value = it.maxThreadsPerBlock;
        return true;
    case cudaDevAttrMaxSharedMemoryPerBlock:
        value = int(it.sharedMemPerBlock);
        return true;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin:
        value = int(it.sharedMemPerBlockOptin);
        return true;
    case cudaDevAttrWarpSize:
        value = it.warpSize;
        return true;
    case cudaDevAttrMultiProcessorCount:
        value = it.multiProcessorCount;
        return true;
    case cudaDevAttrMaxThreadsPerMultiProcessor:
        value = it.maxThreadsPerMultiProcessor;
        return true;
    case cudaDevAttrComputeCapabilityMajor:
        value = it.major;
        return true;
    case cudaDevAttrComputeCapabilityMinor:
        value = it.minor;
        return true;
    case cudaDevAttrL2CacheSize:
        value = it.l2CacheSize;
        return true;
    case cudaDevAttrGlobalMemoryBusWidth:
        value = it.memoryBusWidth;
        return true;
    case cudaDevAttrPciBusId:
        value = it.pciBusID;
        return true;
    case cudaDevAttrPciDeviceId:
        value = it.pciDeviceID;
        return true;
    case cudaDevAttrPciDomainId:
        value = it.pciDomainID;
        return true;
    case cudaDevAttrIntegrated:
        value = it.integrated;
        return true;
    case cudaDevAttrEccEnabled:
        value = it.ECCEnabled;
        return true;
    case cudaDevAttrUnifiedAddressing:
        value = it.unifiedAddressing;
        return true;
    case cudaDevAttrCooperativeLaunch:
        value = it.cooperativeLaunch;
        return true;
    case cudaDevAttrAsyncEngineCount:
        value = it.asyncEngineCount;
        return true;
    case cudaDevAttrComputeMode:
        value = cudaComputeModeDefault;
        return true;
    case cudaDevAttrClockRate:
        value = 1'500'000;
        return true;
    case cudaDevAttrMemoryClockRate:
        value = 2'500'000;
        return true;
    default:
        return false;
    }
}

} // namespace

cudaError_t cudaDriverGetVersion(int* version)
{
    return apiCall({.name = "cudaDriverGetVersion", .needs = Needs::Nothing}, [&] {
        if (version == nullptr)
            return cudaErrorInvalidValue;
        *version = machine().driverVersion;
        return cudaSuccess;
    });
}

cudaError_t cudaRuntimeGetVersion(int* version)
{
    return apiCall({.name = "cudaRuntimeGetVersion", .needs = Needs::Nothing}, [&] {
        if (version == nullptr)
            return cudaErrorInvalidValue;
        *version = CUDART_VERSION;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDeviceCount(int* count)
{
    return apiCall({.name = "cudaGetDeviceCount", .needs = Needs::Driver}, [&] {
        if (count == nullptr)
            return cudaErrorInvalidValue;
        *count = static_cast<int>(machine().devices.size());
        return *count == 0 ? cudaErrorNoDevice : cudaSuccess;
    });
}

cudaError_t cudaSetDevice(int device)
{
    return apiCall({.name = "cudaSetDevice", .needs = Needs::Device}, [&] {
        if (facts(device) == nullptr)
            return cudaErrorInvalidDevice;
        threadState().device = device;
        return currentDevice().lasting;
    });
}

cudaError_t cudaGetDevice(int* device)
{
    return apiCall({.name = "cudaGetDevice", .needs = Needs::Device}, [&] {
        if (device == nullptr)
            return cudaErrorInvalidValue;
        *device = threadState().device;
        return cudaSuccess;
    });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device)
{
    return apiCall({.name = "cudaGetDeviceProperties", .needs = Needs::Device}, [&] {
        if (properties == nullptr)
            return cudaErrorInvalidValue;
        if (facts(device) == nullptr)
            return cudaErrorInvalidDevice;
        *properties = {};
        describe(*properties, *facts(device), device);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr name, int device)
{
    return apiCall({.name = "cudaDeviceGetAttribute", .needs = Needs::Device}, [&] {
        if (facts(device) == nullptr)
            return cudaErrorInvalidDevice;
        cudaDeviceProp properties{};
        describe(properties, *facts(device), device);
        return value != nullptr && attribute(*value, name, properties) ? cudaSuccess
                                                                       : cudaErrorInvalidValue;
    });
}

cudaError_t cudaDeviceGetPCIBusId(char* text, int length, int device)
{
    return apiCall({.name = "cudaDeviceGetPCIBusId", .needs = Needs::Device}, [&] {
        constexpr int needed = 13; // "0000:01:00.0" and its end
        if (text == nullptr || length < needed)
            return cudaErrorInvalidValue;
        if (facts(device) == nullptr)
            return cudaErrorInvalidDevice;
        std::snprintf(text, static_cast<std::size_t>(length), "0000:%02X:00.0", device + 1);
        return cudaSuccess;
    });
}
