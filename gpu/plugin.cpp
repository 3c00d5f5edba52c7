// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/plugin.h"

#include "core/engine/problem_check.h"
#include "gpu/arithmetic.h"
#include "gpu/build_id.h"
#include "gpu/device_report.h"
#include "gpu/gpu_engine.h"
#include "gpu/self_test.h"

namespace fullbatch {

namespace {

std::unique_ptr<TrainingEngine> createEngine(int ordinal, const TrainingProblem& problem)
{
    checkProblem(problem, "gpu", gpuPrecisions); // before any device work
    checkActivations(problem.initial.shape(), "gpu", gpuActivations);
    ensureSelfTest(ordinal);
    return makeGpuEngine(ordinal, problem);
}

constexpr GpuPlugin plugin{gpuBuildId(), reportDevices, createEngine};

} // namespace

} // namespace fullbatch

extern "C" __attribute__((visibility("default"))) const fullbatch::GpuPlugin* fullbatchGpuPlugin()
{
    return &fullbatch::plugin;
}
