// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/plugin.h"

#include <filesystem>
#include <string>

namespace fullbatch {

/// The environment variable that names another plug-in file than the one beside the program.
inline constexpr const char* gpuPluginVariable = "FULLBATCH_GPU_PLUGIN";

/// The GPU plug-in, opened; or the step at which that failed and what a person can do about it.
struct OpenedGpuPlugin
{
    const GpuPlugin* plugin = nullptr;
    std::string unusable; ///< one sentence; empty when `plugin` is there
    std::string remedy;
};

/// Opens the plug-in: the file that FULLBATCH_GPU_PLUGIN names, or else libfullbatch_gpu.so beside
/// the program or where it is installed. Nothing of it is used before its build id is found to be
/// this program's. It stays open until the process ends. Any thread.
[[nodiscard]] OpenedGpuPlugin openGpuPlugin();

/// Makes CUDA number the cards as the system's tools do, by their place on the bus, unless a person
/// has asked for another order. Before any thread is started.
void numberGpusByBus();

} // namespace fullbatch
