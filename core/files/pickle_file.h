// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"

#include <string_view>

namespace fullbatch {

/// The data set in a pickled dict of NumPy arrays; see named_arrays.h for what it must hold. Only
/// the keys of the outermost dict count. Its source stays empty. Throws DataError (the end of a
/// sentence that starts with the file's name).
[[nodiscard]] Dataset readPickle(std::string_view bytes);

} // namespace fullbatch
