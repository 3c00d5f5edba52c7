// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"
#include "core/network/named_values.h"

#include <array>

namespace fullbatch {

inline constexpr std::array<NamedValue<Precision>, 5> namedPrecisions{{
    {Precision::Fp32, "fp32"},
    {Precision::Tf32, "tf32"},
    {Precision::Bf16, "bf16"},
    {Precision::Fp16, "fp16"},
    {Precision::Fp64, "fp64"},
}};

/// As it is typed and stored: "fp32", "tf32", "bf16", "fp16", "fp64"; empty for another value.
[[nodiscard]] std::string_view precisionName(Precision precision);

/// The inverse; nothing for another name.
[[nodiscard]] std::optional<Precision> precisionFromName(std::string_view name);

/// "fp32, tf32, bf16, fp16, fp64", for messages.
[[nodiscard]] std::string precisionNames();

} // namespace fullbatch
