// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"

#include <string_view>

namespace fullbatch {

/// The data set in NumPy's npz (a zip archive of npy files); see named_arrays.h for what it must
/// hold. Every member's checksum is verified, used or not. Its source stays empty. Throws DataError
/// (the end of a sentence that starts with the file's name).
[[nodiscard]] Dataset readNpz(std::string_view bytes);

} // namespace fullbatch
