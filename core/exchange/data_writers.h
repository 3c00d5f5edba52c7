// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"

#include <filesystem>

namespace fullbatch {

/// NumPy's npz with float32 `x` (rows x features), int64 `y`, and `x_test`, `y_test` when there are
/// test rows. The same data gives the same bytes. Throws OutputError.
void writeDataNpz(const std::filesystem::path& file, const Dataset& dataset);

/// A csv that readDataFile() reads back exactly: the header label,x0,x1,... and a row an example.
/// When there are test rows, a last column `split` says train or test. Decimal point in every
/// locale. Throws OutputError.
void writeDataCsv(const std::filesystem::path& file, const Dataset& dataset);

} // namespace fullbatch
