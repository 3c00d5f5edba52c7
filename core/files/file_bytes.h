// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

namespace fullbatch {

/// The whole of a file. Throws DataError with the system's reason ("No such file or directory").
[[nodiscard]] std::string readBytes(const std::filesystem::path& file);

} // namespace fullbatch
