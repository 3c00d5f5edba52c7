// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"

#include <filesystem>
#include <string>

namespace fullbatch {

/// SHA-256, 64 hexadecimal digits, of the numbers of a data set whatever file they came from: for
/// train, then test: rows and features as little-endian 64-bit, the float32 inputs row by row, the
/// labels as little-endian 32-bit.
[[nodiscard]] std::string dataChecksum(const Dataset& dataset);

/// SHA-256 of a file's bytes.
[[nodiscard]] std::string fileChecksum(const std::filesystem::path& file);

} // namespace fullbatch
