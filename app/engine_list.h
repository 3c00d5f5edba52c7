// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"

#include <string>
#include <vector>

namespace fullbatch {

/// Every engine of this program in the order a person is shown them, usable or not; each line says
/// what it is or why it cannot be used.
[[nodiscard]] std::vector<EngineChoice> engineList();

/// The usable engine called `id`. Throws UsageError with the reason and the remedy when it cannot
/// be used, or with the names there are.
[[nodiscard]] const EngineChoice& usableEngine(const std::vector<EngineChoice>& engines,
                                               const std::string& id);

} // namespace fullbatch
