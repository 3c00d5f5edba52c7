// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace fullbatch {

/// One graphics card as the GPU engine sees it.
struct GpuDevice
{
    int ordinal = 0; ///< the CUDA runtime's number, valid in this process and its children
    std::string name; ///< "NVIDIA H200"
    std::string uuid; ///< "GPU-…", as the system's tool prints it
    std::string pciBusId; ///< "0000:3b:00.0"
    int computeMajor = 0;
    int computeMinor = 0;
    int multiprocessors = 0;
    std::uint64_t memoryTotal = 0; ///< bytes
    std::uint64_t memoryFree = 0; ///< bytes
    std::string unusable; ///< empty, or the step that failed, one sentence
    std::string remedy; ///< what a person can do about it; empty when usable
};

/// What looking for graphics cards found.
struct GpuReport
{
    int driverVersion = 0; ///< 13000 for 13.0; 0: no driver
    int runtimeVersion = 0;
    std::size_t cublasLtVersion = 0;
    std::string unusable; ///< empty, or why there is no device at all, one sentence
    std::string remedy; ///< empty when there are devices
    std::vector<GpuDevice> devices;
};

/// What the plug-in offers. Its types are C++, so the caller compares `buildId` with its own
/// gpuBuildId() before it looks at anything else.
struct GpuPlugin
{
    const char* buildId; ///< stays the first member for ever
    /// Looks for devices step by step and tries each with a small known answer. May hang or crash
    /// where a driver is broken: call it in a child process. Does not throw.
    GpuReport (*report)();
    /// Makes an engine on one device, after one self-test a process and device. Throws as
    /// EngineChoice::create does.
    std::unique_ptr<TrainingEngine> (*createEngine)(int ordinal, const TrainingProblem& problem);
};

/// The one entry point of the plug-in library.
using GpuPluginEntry = const GpuPlugin* (*)();
inline constexpr const char* gpuPluginEntryName = "fullbatchGpuPlugin";

} // namespace fullbatch
