// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/devices/gpu_engine_choices.h"

#include "app/devices/gpu_plugin.h"

#include <fmt/format.h>

namespace fullbatch {

namespace {

// Cards before compute capability 8.0 know neither TF32 nor bfloat16.
std::vector<Precision> precisionsOf(int computeMajor)
{
    constexpr int ampere = 8;
    if (computeMajor < ampere)
        return {Precision::Fp32, Precision::Fp16};
    return {Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16};
}

/// Opened once, at the first use.
const OpenedGpuPlugin& theGpuPlugin()
{
    static const OpenedGpuPlugin opened = openGpuPlugin();
    return opened;
}

std::unique_ptr<TrainingEngine> makeGpuEngine(int ordinal, const TrainingProblem& problem)
{
    const OpenedGpuPlugin& opened = theGpuPlugin();
    if (opened.plugin == nullptr)
        throw EngineError(opened.unusable + " " + opened.remedy);
    return opened.plugin->createEngine(ordinal, problem);
}

std::string detailOf(const GpuDevice& device, const GpuReport& report)
{
    constexpr double gibibyte = 1024.0 * 1024 * 1024;
    return fmt::format("compute capability {}.{}, {} multiprocessors, {:.1f} of {:.1f} GiB free, "
                       "PCI bus {}, {}, driver for CUDA {}, CUDA runtime {}, cuBLASLt {}",
                       device.computeMajor, device.computeMinor, device.multiprocessors,
                       static_cast<double>(device.memoryFree) / gibibyte,
                       static_cast<double>(device.memoryTotal) / gibibyte, device.pciBusId,
                       device.uuid, cudaVersionText(report.driverVersion),
                       cudaVersionText(report.runtimeVersion),
                       cublasVersionText(report.cublasLtVersion));
}

EngineChoice lineOf(const GpuDevice& device, const GpuReport& report)
{
    EngineChoice line;
    line.id = gpuEngineId(device.ordinal);
    const std::string number =
        report.devices.size() > 1 ? fmt::format(" {}", device.ordinal) : std::string();
    const bool known = !device.name.empty(); // a card that does not answer has no facts
    line.description =
        fmt::format("GPU{}: {}, CUDA {}", number, known ? device.name : "NVIDIA graphics card",
                    cudaVersionText(report.runtimeVersion));
    if (known)
        line.detail = detailOf(device, report);
    line.unusable = device.unusable;
    line.remedy = device.remedy;
    line.precisions = precisionsOf(device.computeMajor);
    line.activations = {LayerKind::Relu};
    line.create = [ordinal = device.ordinal](const TrainingProblem& problem) {
        return makeGpuEngine(ordinal, problem);
    };
    return line;
}

EngineChoice lineWithoutDevice()
{
    EngineChoice line;
    line.id = gpuEngineId(0);
    line.description = "GPU: NVIDIA, cuBLAS";
    line.precisions = {Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16};
    line.activations = {LayerKind::Relu};
    return line;
}

} // namespace

std::string gpuEngineId(int ordinal)
{
    return ordinal == 0 ? "gpu" : fmt::format("gpu:{}", ordinal);
}

std::vector<EngineChoice> gpuEngineChoices(const GpuReport& report)
{
    if (!report.unusable.empty() || report.devices.empty()) {
        EngineChoice line = lineWithoutDevice();
        line.unusable =
            report.unusable.empty() ? "There is no NVIDIA graphics card." : report.unusable;
        line.remedy = report.remedy.empty() ? "Train on the CPU." : report.remedy;
        return {line};
    }
    std::vector<EngineChoice> lines;
    for (const GpuDevice& device : report.devices)
        lines.push_back(lineOf(device, report));
    return lines;
}

EngineChoice gpuSearchLine()
{
    EngineChoice line = lineWithoutDevice();
    line.description = "GPU";
    line.unusable = "Looking for graphics cards.";
    line.remedy = "Wait a moment.";
    return line;
}

std::string cudaVersionText(int version)
{
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

std::string cublasVersionText(std::size_t version)
{
    return fmt::format("{}.{}.{}", version / 10'000, version / 100 % 100, version % 100);
}

} // namespace fullbatch
