// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/plugin.h"

#include <string>

namespace fullbatch {

/// A report as the probe's child writes it: one JSON object. Bytes that are not UTF-8 become
/// U+FFFD.
[[nodiscard]] std::string toJson(const GpuReport& report);
/// Throws std::invalid_argument for anything that toJson() does not write.
[[nodiscard]] GpuReport gpuReportFromJson(const std::string& text);

} // namespace fullbatch
