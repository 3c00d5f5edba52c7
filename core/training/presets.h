// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/run_spec.h"

#include <string_view>
#include <vector>

namespace fullbatch {

/// The four networks of figure 20.2 in S. Prince, "Understanding Deep Learning" (2023), and its
/// notebook: equal parameter counts, learning rate 0.0025, full batch, 200,000 epochs and 500,000
/// for the one-layer network. Their names: one-layer, two-layers, three-layers, four-layers.
[[nodiscard]] std::vector<RunSpec> figure202Presets();

/// The preset of that name. Throws std::invalid_argument, with the names there are, for another.
[[nodiscard]] RunSpec presetByName(std::string_view name);

} // namespace fullbatch
