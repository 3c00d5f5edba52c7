// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"

#include <optional>
#include <string>
#include <string_view>

namespace fullbatch {

/// As it is typed and stored: "fp32", "tf32", "bf16", "fp16", "fp64"; empty for another value.
[[nodiscard]] std::string_view precisionName(Precision precision);

/// The inverse; nothing for another name.
[[nodiscard]] std::optional<Precision> precisionFromName(std::string_view name);

/// "fp32, tf32, bf16, fp16, fp64", for messages.
[[nodiscard]] std::string precisionNames();

} // namespace fullbatch
