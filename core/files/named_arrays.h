// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "core/files/number_array.h"

#include <functional>
#include <optional>

namespace fullbatch {

/// An array of a file by its name; none when the file has no such name. May throw DataError.
using FindArray = std::function<std::optional<NumberArray>(const std::string& name)>;

/// The data set of a file that holds x (rows x features) and y (rows), and perhaps x_test and
/// y_test. Its source stays empty. Throws DataError (the end of a sentence that starts with the
/// file's name) for missing arrays, shapes that disagree, inputs that are not finite float32
/// numbers (with row and column, counted from 0) and bad labels.
[[nodiscard]] Dataset datasetFromArrays(const FindArray& find);

/// Why `value` cannot be an input: " is not a number", ... Empty when it can, as a float32.
[[nodiscard]] std::string problemOfInput(double value);

} // namespace fullbatch
