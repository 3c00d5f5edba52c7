// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/devices/engine_list.h"

#include "app/devices/gpu_engine_choices.h"
#include "app/devices/gpu_probe.h"
#include "app/terminal/usage_error.h"
#include "core/engine/cpu_engine.h"
#include "core/engine/reference_engine.h"
#include "core/training/device_shares.h"

#include <fmt/format.h>

#include <algorithm>

namespace fullbatch {

namespace {

std::vector<EngineChoice> listWith(const std::vector<EngineChoice>& gpus)
{
    std::vector<EngineChoice> engines = {cpuEngineChoice()};
    engines.insert(engines.end(), gpus.begin(), gpus.end());
    engines.push_back(referenceEngineChoice());
    return engines;
}

} // namespace

std::vector<EngineChoice> engineList()
{
    return engineList(probeGpus());
}

std::vector<EngineChoice> engineList(const GpuReport& found)
{
    return listWith(gpuEngineChoices(found));
}

std::vector<EngineChoice> engineListBeforeSearch()
{
    return listWith({gpuSearchLine()});
}

EngineChoice usableEngine(const std::string& id)
{
    const std::vector<EngineChoice> engines = isGpu(id) ? engineList() : engineListBeforeSearch();
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
