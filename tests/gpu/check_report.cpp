// SPDX-License-Identifier: GPL-3.0-or-later
// Devices explain themselves: the step that fails and what to do about it; and the plug-in's entry.
#include "gpu/build_id.h"
#include "gpu/device_report.h"
#include "gpu/plugin.h"
#include "gpu/self_test.h"
#include "tests/core/engine/random_problem.h"
#include "tests/core/engine/spoilt_engine.h"
#include "tests/cuda_emulation/control.h"
#include "tests/gpu/check_list.h"

#include <cublasLt.h>

#include <cstdlib>
#include <cstring>

using namespace fullbatch;

extern "C" const GpuPlugin* fullbatchGpuPlugin();

namespace {

void expectWord(const std::string& text, const std::string& word, Findings& findings)
{
    findings.expect(text.find(word) != std::string::npos,
                    "\"" + text + "\" does not say \"" + word + "\"");
    findings.expect(!text.empty() && text.back() == '.' && text.find('\n') == std::string::npos,
                    "\"" + text + "\" is no sentence");
}

void noDriver(Findings& findings)
{
    emulation::reset();
    emulation::setDriverVersion(0);
    const GpuReport report = reportDevices();
    findings.expect(report.driverVersion == 0 && report.devices.empty(), "finds something");
    expectWord(report.unusable, "no NVIDIA driver", findings);
    expectWord(report.remedy, "580 or newer", findings);
}

void oldDriver(Findings& findings)
{
    emulation::reset();
    emulation::setDriverVersion(12080);
    const GpuReport report = reportDevices();
    expectWord(report.unusable, "too old: it serves CUDA 12.8", findings);
    expectWord(report.unusable, "needs CUDA 13.0", findings);
    expectWord(report.remedy, "580 or newer", findings);
}

void noDevice(Findings& findings)
{
    emulation::reset();
    emulation::setDevices({});
    unsetenv("CUDA_VISIBLE_DEVICES");
    GpuReport report = reportDevices();
    expectWord(report.unusable, "no NVIDIA GPU", findings);
    expectWord(report.remedy, "nvidia-smi", findings);
    setenv("CUDA_VISIBLE_DEVICES", "-1", 1);
    report = reportDevices();
    unsetenv("CUDA_VISIBLE_DEVICES");
    expectWord(report.unusable, "CUDA_VISIBLE_DEVICES is \"-1\"", findings);
    expectWord(report.remedy, "Unset CUDA_VISIBLE_DEVICES", findings);
}

void brokenDriver(Findings& findings)
{
    emulation::reset();
    emulation::failCall("cudaGetDeviceCount", 1, cudaErrorSystemDriverMismatch);
    const GpuReport report = reportDevices();
    expectWord(report.unusable, "803", findings);
    expectWord(report.remedy, "Restart the computer", findings);
}

void usableDevices(Findings& findings)
{
    emulation::reset();
    emulation::setDevices({{"First", 9, 0, std::size_t{1} << 30, 132},
                           {"Old", 7, 0, std::size_t{1} << 30, 80},
                           {"Third", 12, 0, std::size_t{1} << 29, 24}});
    const GpuReport report = reportDevices();
    findings.expect(report.unusable.empty() && report.devices.size() == 3, "not three devices");
    if (report.devices.size() != 3)
        return;
    const GpuDevice& first = report.devices[0];
    findings.expect(first.name == "First" && first.computeMajor == 9 && first.multiprocessors == 132
                        && first.memoryTotal == std::size_t{1} << 30 && first.memoryFree > 0
                        && first.memoryFree <= first.memoryTotal,
                    "facts of the first");
    findings.expect(first.uuid.size() == 40 && first.uuid.starts_with("GPU-"),
                    "UUID " + first.uuid);
    findings.expect(!first.pciBusId.empty(), "bus");
    findings.expect(first.unusable.empty(), first.unusable);
    findings.expect(report.devices[2].ordinal == 2 && report.devices[2].unusable.empty(),
                    report.devices[2].unusable);
    expectWord(report.devices[1].unusable, "too old: it has compute capability 7.0", findings);
    expectWord(report.devices[1].remedy, "newer NVIDIA GPU", findings);
    findings.expect(emulation::leaks() == emulation::Leaks(), "something leaks");
}

/// One fault on the way to a usable device, and what must be said.
void faultyDevice(const char* function, int status, const std::string& word,
                  const std::string& remedy, Findings& findings)
{
    emulation::reset();
    emulation::setDevices({{"First"}, {"Second"}});
    emulation::failCall(function, 1, status);
    const GpuReport report = reportDevices();
    if (report.devices.size() != 2) {
        findings.expect(false, std::string(function) + ": not two devices");
        return;
    }
    expectWord(report.devices[0].unusable, word, findings);
    expectWord(report.devices[0].remedy, remedy, findings);
    findings.expect(report.devices[1].unusable.empty(),
                    "the second device: " + report.devices[1].unusable);
    findings.expect(emulation::leaks() == emulation::Leaks(), "something leaks");
}

void faultyDevices(Findings& findings)
{
    faultyDevice("cudaMemGetInfo", cudaErrorDevicesUnavailable, "(46", "nvidia-smi", findings);
    faultyDevice("cudaMemGetInfo", cudaErrorMemoryAllocation, "(2", "Close other programs",
                 findings);
    faultyDevice("cudaMalloc", cudaErrorMemoryAllocation, "self-test", "Close other programs",
                 findings);
    faultyDevice("cublasLtCreate", CUBLAS_STATUS_NOT_INITIALIZED, "CUBLAS_STATUS_NOT_INITIALIZED",
                 "nvidia-smi", findings);
    faultyDevice("cublasLtMatmulAlgoGetHeuristic", CUBLAS_STATUS_ARCH_MISMATCH, "self-test",
                 "does not have", findings);
    faultyDevice("cudaLaunchKernelEx", cudaErrorNoKernelImageForDevice, "(209",
                 "CMAKE_CUDA_ARCHITECTURES", findings);
    faultyDevice("cudaGetDeviceProperties", cudaErrorUnknown, "(999", "Restart the computer",
                 findings);
}

/// Kernels that are not there: the engine is refused, the reason names the way out, and a run never
/// starts.
void kernelsForAnotherDevice(Findings& findings)
{
    emulation::reset();
    emulation::failCall("cudaLaunchKernelEx", 1, cudaErrorNoKernelImageForDevice);
    std::string text;
    try {
        ensureSelfTest(0);
    } catch (const EngineError& error) {
        text = error.what();
    }
    expectWord(text, "cudaErrorNoKernelImageForDevice", findings);
    expectWord(text, "train on the CPU", findings);
}

/// The self-test lets right engines pass and finds what is wrong with others.
void selfTestTells(Findings& findings)
{
    const auto text = [](Fault fault) {
        return selfTest(spoiltEngineChoice(fault).create, "a device");
    };
    findings.expect(text(Fault::None).empty(), text(Fault::None));
    for (const Fault fault : {Fault::GradientScaled, Fault::LossShifted, Fault::MomentumForgotten})
        expectWord(text(fault), "The self-test failed on a device", findings);
}

void entryOfThePlugin(Findings& findings)
{
    emulation::reset();
    const GpuPlugin& plugin = *fullbatchGpuPlugin();
    findings.expect(std::strcmp(plugin.buildId, gpuBuildId()) == 0, "build id");
    findings.expect(plugin.report().devices.size() == 1, "report");

    // Wrong labels are refused before any device work, the self-test's included.
    emulation::reset();
    TrainingProblem problem = randomProblem({7, 13, 5, 3}, 31, Precision::Fp32);
    TrainingProblem wrong = problem;
    wrong.precision = Precision::Fp64;
    bool refused = false;
    try {
        (void)plugin.createEngine(0, wrong);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    findings.expect(refused && emulation::callCount("cudaSetDevice") == 0, "refused too late");

    (void)plugin.createEngine(0, problem);
    constexpr std::size_t tested = 2; // engines of a self-test
    findings.expect(emulation::callCount("cublasLtCreate") == tested + 1,
                    "no self-test before the first");
    findings.expect(trainEpochs(*plugin.createEngine(0, problem), 3, 0.1).size() == 3, "epochs");
    findings.expect(emulation::callCount("cublasLtCreate") == tested + 2, "a second self-test");
    findings.expect(emulation::leaks() == emulation::Leaks(), "something leaks");
}

} // namespace

int main(int argumentCount, char** arguments)
{
    return runGpuChecks(argumentCount, arguments,
                        {{"no driver", noDriver},
                         {"a driver that is too old", oldDriver},
                         {"no device", noDevice},
                         {"a driver that does not answer", brokenDriver},
                         {"usable devices and an old one", usableDevices},
                         {"a device that fails on the way", faultyDevices},
                         {"kernels for another device", kernelsForAnotherDevice},
                         {"the self-test against wrong engines", selfTestTells},
                         {"the plug-in's entry", entryOfThePlugin}});
}
