// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"
#include "gpu/plugin.h"

#include <string>
#include <vector>

namespace fullbatch {

// The engines of this program in the order a person is shown them, usable or not; each line says
// what it is or why it cannot be used.

/// Every engine. Looks for graphics cards and waits for what that finds: some tenths of a second,
/// ten seconds where a driver hangs (see probeGpus()).
[[nodiscard]] std::vector<EngineChoice> engineList();

/// Every engine, with the graphics cards that were found.
[[nodiscard]] std::vector<EngineChoice> engineList(const GpuReport& found);

/// At once: in the place of the graphics cards a line that says they are being looked for.
[[nodiscard]] std::vector<EngineChoice> engineListBeforeSearch();

/// The usable engine called `id`; looks for graphics cards only where `id` is one. Throws
/// UsageError with the reason and the remedy when it cannot be used, or with the names there are.
[[nodiscard]] EngineChoice usableEngine(const std::string& id);

} // namespace fullbatch
