// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"
#include "gpu/plugin.h"

#include <string>
#include <vector>

namespace fullbatch {

/// "gpu" for the first device, "gpu:1" for the second, ...
[[nodiscard]] std::string gpuEngineId(int ordinal);

/// The lines of the engine list for what was found: one a device, or one that says why there is
/// none. A usable one opens the plug-in in the thread that makes the first engine.
[[nodiscard]] std::vector<EngineChoice> gpuEngineChoices(const GpuReport& report);

/// The line while graphics cards are still being looked for.
[[nodiscard]] EngineChoice gpuSearchLine();

/// "13.0" for CUDA's 13000.
[[nodiscard]] std::string cudaVersionText(int version);
/// "13.1.0" for cuBLASLt's 130100.
[[nodiscard]] std::string cublasVersionText(std::size_t version);

} // namespace fullbatch
