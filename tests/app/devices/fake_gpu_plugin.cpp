// SPDX-License-Identifier: GPL-3.0-or-later

// A GPU plug-in without a GPU, for tests of what the program makes of one. The environment tells it
// how to behave: FAKE_GPU names the case, FAKE_GPU_PID_FILE a file for the id of the process that
// asked for a report, FAKE_GPU_FAILS_AT the epoch at which its engines fail.

#include "gpu/build_id.h"
#include "gpu/plugin.h"
#include "tests/core/training/fake_engine.h"

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include <unistd.h>

namespace fullbatch {

namespace {

std::string variable(const char* name)
{
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

bool isCase(const char* name)
{
    return variable("FAKE_GPU") == name;
}

GpuDevice goodDevice(int ordinal)
{
    GpuDevice device;
    device.ordinal = ordinal;
    device.name = "Fake " + variable("CUDA_DEVICE_ORDER");
    device.uuid = "GPU-00000000-0000-0000-0000-00000000000" + std::to_string(ordinal);
    device.pciBusId = "0000:0" + std::to_string(ordinal + 1) + ":00.0";
    device.computeMajor = 9;
    device.multiprocessors = 132;
    device.memoryTotal = 150'000'000'000;
    device.memoryFree = 149'000'000'000;
    return device;
}

GpuReport reportOfDevices()
{
    GpuReport report;
    report.driverVersion = 13'010;
    report.runtimeVersion = 13'000;
    report.cublasLtVersion = 130'100;
    report.devices = {goodDevice(0), goodDevice(1)};
    if (isCase("one old"))
        report.devices[0].computeMajor = 6;
    if (isCase("one old")) {
        report.devices[0].unusable = "Its compute capability is 6.1, and 7.5 is needed.";
        report.devices[0].remedy = "Use a newer card.";
    }
    return report;
}

GpuReport driverTooOld()
{
    GpuReport report;
    report.driverVersion = 12'040;
    report.runtimeVersion = 13'000;
    report.unusable = "The NVIDIA driver is too old: it knows CUDA 12.4, and 13.0 is needed "
                      "(cudaGetDeviceCount: error 35).";
    report.remedy = "Install driver 580 or newer.";
    return report;
}

GpuReport report()
{
    if (const std::string file = variable("FAKE_GPU_PID_FILE"); !file.empty())
        std::ofstream(file) << getpid() << '\n';
    if (isCase("hang"))
        std::this_thread::sleep_for(std::chrono::hours(1));
    if (isCase("crash"))
        std::raise(SIGSEGV);
    if (isCase("exit"))
        std::exit(3);
    if (isCase("noise")) {
        std::puts("{\"driver says\": \"hello\"}");
        std::fputs("warning\n", stderr);
        std::fflush(stdout);
    }
    return isCase("error 35") ? driverTooOld() : reportOfDevices();
}

std::unique_ptr<TrainingEngine> createEngine(int, const TrainingProblem& problem)
{
    if (isCase("busy"))
        throw EngineError("cudaSetDevice failed: the device is busy. End other programs on it.");
    FakeScript script;
    script.microsecondsPerEpoch = 10;
    if (const std::string epoch = variable("FAKE_GPU_FAILS_AT"); !epoch.empty())
        script.throwAtEpoch = std::stoull(epoch);
    script.skippedSteps = [](std::uint64_t) { return std::uint64_t{3}; };
    return std::make_unique<FakeEngine>(script, problem.initial);
}

} // namespace

} // namespace fullbatch

extern "C" const fullbatch::GpuPlugin* fullbatchGpuPlugin();

const fullbatch::GpuPlugin* fullbatchGpuPlugin()
{
    static const fullbatch::GpuPlugin plugin = {
        fullbatch::isCase("other build") ? "another build" : fullbatch::gpuBuildId(),
        fullbatch::report, fullbatch::createEngine};
    return &plugin;
}
