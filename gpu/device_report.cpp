// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device_report.h"

#include "gpu/cuda_error.h"
#include "gpu/self_test.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace fullbatch {

namespace {

constexpr const char* trainOnCpu = " Until then, train on the CPU.";

/// 13020: "13.2".
std::string versionText(int version)
{
    return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// The driver series that a CUDA runtime asks for at least, as NVIDIA's release notes say.
std::string neededDriver(int runtimeVersion)
{
    return runtimeVersion / 1000 == 13 ? "580 or newer"
                                       : "one for CUDA " + versionText(runtimeVersion);
}

/// "GPU-" and the 16 bytes, grouped as the system's tool prints them.
std::string uuidText(const cudaUUID_t& uuid)
{
    std::string text = "GPU";
    for (int i = 0; i < 16; ++i) {
        if (i == 0 || i == 4 || i == 6 || i == 8 || i == 10)
            text += '-';
        std::array<char, 3> digits{};
        (void)std::snprintf(digits.data(), digits.size(), "%02x",
                            static_cast<unsigned>(static_cast<unsigned char>(uuid.bytes[i])));
        text += digits.data();
    }
    return text;
}

void refuse(GpuReport& report, const std::string& why, const std::string& what)
{
    report.unusable = why;
    report.remedy = what + trainOnCpu;
}

/// Whether there may be devices to ask for; if not, the report says why.
bool driverServes(GpuReport& report)
{
    if (cudaDriverGetVersion(&report.driverVersion) != cudaSuccess)
        report.driverVersion = 0;
    (void)cudaGetLastError();
    if (report.driverVersion == 0) {
        refuse(report, "There is no NVIDIA driver on this machine.",
               "If it has an NVIDIA GPU, install its driver, version "
                   + neededDriver(report.runtimeVersion) + ".");
        return false;
    }
    if (report.driverVersion / 1000 < report.runtimeVersion / 1000) {
        refuse(report,
               "The NVIDIA driver is too old: it serves CUDA " + versionText(report.driverVersion)
                   + ", this program needs CUDA " + versionText(report.runtimeVersion) + ".",
               "Install the NVIDIA driver " + neededDriver(report.runtimeVersion) + ".");
        return false;
    }
    return true;
}

void explainCount(GpuReport& report, cudaError_t error)
{
    if (error == cudaErrorNoDevice) {
        const char* visible = std::getenv("CUDA_VISIBLE_DEVICES");
        if (visible != nullptr) {
            refuse(report,
                   "No NVIDIA GPU is visible: CUDA_VISIBLE_DEVICES is \"" + std::string(visible)
                       + "\".",
                   "Unset CUDA_VISIBLE_DEVICES and start the program again.");
        } else {
            refuse(report, "There is an NVIDIA driver but no NVIDIA GPU.",
                   "Check with nvidia-smi that the system sees the GPU.");
        }
        return;
    }
    refuse(report,
           "The NVIDIA driver does not answer: " + failureText(error, "cudaGetDeviceCount") + ".",
           remedy(error));
}

/// Marks the device as one that cannot be used. False, so that a step can end with it.
bool refuse(GpuDevice& device, const std::string& why, const std::string& what)
{
    device.unusable = why;
    device.remedy = what;
    return false;
}

/// One step on the way to a usable device.
bool passes(GpuDevice& device, cudaError_t error, const char* call)
{
    if (error == cudaSuccess)
        return true;
    (void)cudaGetLastError();
    return refuse(device, "The GPU does not answer: " + failureText(error, call) + ".",
                  remedy(error));
}

bool readProperties(GpuDevice& device)
{
    cudaDeviceProp properties{};
    if (!passes(device, cudaGetDeviceProperties(&properties, device.ordinal),
                "cudaGetDeviceProperties"))
        return false;
    device.name = properties.name;
    device.uuid = uuidText(properties.uuid);
    device.computeMajor = properties.major;
    device.computeMinor = properties.minor;
    device.multiprocessors = properties.multiProcessorCount;
    device.memoryTotal = properties.totalGlobalMem;
    std::array<char, 32> bus{};
    if (!passes(device,
                cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), device.ordinal),
                "cudaDeviceGetPCIBusId"))
        return false;
    device.pciBusId = bus.data();
    return true;
}

bool isNewEnough(GpuDevice& device)
{
    if (std::pair(device.computeMajor, device.computeMinor)
        >= std::pair(oldestComputeMajor, oldestComputeMinor))
        return true;
    return refuse(device,
                  "The GPU is too old: it has compute capability "
                      + std::to_string(device.computeMajor) + "."
                      + std::to_string(device.computeMinor) + ", CUDA 13 needs "
                      + std::to_string(oldestComputeMajor) + "."
                      + std::to_string(oldestComputeMinor) + " (Turing, 2018) or newer.",
                  "Use a newer NVIDIA GPU, or train on the CPU.");
}

/// The first call that really talks to the device: a busy or full one fails here.
bool readMemory(GpuDevice& device)
{
    if (!passes(device, cudaSetDevice(device.ordinal), "cudaSetDevice"))
        return false;
    std::size_t free = 0;
    std::size_t total = 0;
    if (!passes(device, cudaMemGetInfo(&free, &total), "cudaMemGetInfo"))
        return false;
    device.memoryFree = free;
    return true;
}

bool passesSelfTest(GpuDevice& device)
{
    try {
        const std::string text = selfTest(device.ordinal);
        return text.empty() || refuse(device, text, selfTestRemedy);
    } catch (const GpuFailure& error) {
        return refuse(device, "The self-test cannot run. " + error.failure(), error.remedy());
    } catch (const std::exception& error) {
        return refuse(device, "The self-test cannot run: " + std::string(error.what()) + ".",
                      "Close other programs, or train on the CPU.");
    }
}

GpuDevice describeDevice(int ordinal)
{
    GpuDevice device;
    device.ordinal = ordinal;
    (void)(readProperties(device) && isNewEnough(device) && readMemory(device)
           && passesSelfTest(device));
    return device;
}

} // namespace

GpuReport reportDevices()
{
    GpuReport report;
    if (cudaRuntimeGetVersion(&report.runtimeVersion) != cudaSuccess)
        report.runtimeVersion = CUDART_VERSION;
    report.cublasLtVersion = cublasLtGetVersion();
    if (!driverServes(report))
        return report;
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    (void)cudaGetLastError();
    if (error != cudaSuccess || count == 0) {
        explainCount(report, error == cudaSuccess ? cudaErrorNoDevice : error);
        return report;
    }
    for (int ordinal = 0; ordinal < count; ++ordinal)
        report.devices.push_back(describeDevice(ordinal));
    return report;
}

} // namespace fullbatch
