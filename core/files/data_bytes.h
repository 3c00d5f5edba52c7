// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"

#include <string_view>

namespace fullbatch {

/// readDataFile() on bytes that are in memory already. Source: empty. Throws DataError with the end
/// of a sentence that starts with the file's name: printable, without a final point.
[[nodiscard]] Dataset readDataBytes(std::string_view bytes);

} // namespace fullbatch
