// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"

#include <filesystem>

namespace fullbatch {

/// Reads a data set from a file by what it really is, not by its name: a pickle of NumPy arrays in
/// a dict, an npz archive, a csv file. Wanted are x (rows x features) and y (rows), and, where
/// there is a test split, x_test and y_test. Executes nothing a file says. Throws DataError with
/// one sentence that names the file, what is wrong, where, and what is allowed.
[[nodiscard]] Dataset readDataFile(const std::filesystem::path& file);

} // namespace fullbatch
