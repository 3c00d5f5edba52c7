// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fullbatch {

/// "line 3, column 5" (both from 1, columns in bytes) of a byte of the text.
[[nodiscard]] std::string lineAndColumn(std::string_view text, std::size_t byte);

/// Where the key or the list's entry of that path begins in a text that is valid JSON:
/// "runs[2].data.recipe.seed". The byte; the text's end when the path is not there.
[[nodiscard]] std::size_t jsonPlace(std::string_view text, std::string_view path);

} // namespace fullbatch
