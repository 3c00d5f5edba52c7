// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/devices/child_process.h"
#include "gpu/plugin.h"

#include <chrono>
#include <filesystem>

namespace fullbatch {

/// The command that the program gives itself in the child; help does not show it.
inline constexpr const char* gpuReportCommandName = "gpu-report";

/// How long looking for graphics cards may take.
inline constexpr std::chrono::milliseconds gpuProbeLimit{10'000};

/// Looks for graphics cards in a child process, `program` with the command gpu-report, so that a
/// broken driver can neither hang nor end this one. Whatever goes wrong is the report's `unusable`
/// with its remedy. Waits for the child, `limit` at most; any thread. Does not throw.
[[nodiscard]] GpuReport probeGpus(const std::filesystem::path& program = "/proc/self/exe",
                                  std::chrono::milliseconds limit = gpuProbeLimit);

/// What a child's end says; probeGpus() without the child.
[[nodiscard]] GpuReport reportOf(const ChildEnd& child, std::chrono::milliseconds limit);

/// The child's side: opens the plug-in, writes its report to standard output and ends the process,
/// whatever threads and exit handlers the driver has.
[[noreturn]] void writeGpuReport();

} // namespace fullbatch
