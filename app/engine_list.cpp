// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine_list.h"

#include "app/usage_error.h"
#include "core/engine/cpu_engine.h"
#include "core/engine/reference_engine.h"

#include <fmt/format.h>

#include <algorithm>

namespace fullbatch {

namespace {

EngineChoice gpuEngineChoice()
{
    EngineChoice gpu;
    gpu.id = "gpu";
    gpu.description = "GPU: NVIDIA, cuBLAS";
    gpu.unusable = "This version of Fullbatch has no GPU engine yet.";
    gpu.remedy = "Train on the CPU.";
    gpu.precisions = {Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16};
    return gpu;
}

} // namespace

std::vector<EngineChoice> engineList()
{
    return {cpuEngineChoice(), gpuEngineChoice(), referenceEngineChoice()};
}

const EngineChoice& usableEngine(const std::vector<EngineChoice>& engines, const std::string& id)
{
    const auto found = std::find_if(engines.begin(), engines.end(),
                                    [&](const EngineChoice& engine) { return engine.id == id; });
    if (found == engines.end()) {
        std::string names;
        for (const EngineChoice& engine : engines)
            names += (names.empty() ? "" : ", ") + engine.id;
        throw UsageError(
            fmt::format("--engine: there is no engine \"{}\"; allowed are {}.", id, names));
    }
    if (!found->usable())
        throw UsageError(
            fmt::format("--engine: {} cannot be used: {} {}", id, found->unusable, found->remedy));
    return *found;
}

} // namespace fullbatch
