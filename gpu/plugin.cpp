// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/plugin.h"

#include "gpu/build_id.h"
#include "gpu/device_report.h"

namespace fullbatch {

namespace {

std::unique_ptr<TrainingEngine> createEngine(int, const TrainingProblem&)
{
    throw EngineError("This build's GPU plug-in only looks for devices. Train on the CPU.");
}

constexpr GpuPlugin plugin{gpuBuildId(), reportDevices, createEngine};

} // namespace

} // namespace fullbatch

extern "C" __attribute__((visibility("default"))) const fullbatch::GpuPlugin* fullbatchGpuPlugin()
{
    return &fullbatch::plugin;
}
