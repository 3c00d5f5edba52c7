// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"

#include <string_view>

namespace fullbatch {

/// The data set in csv text: a row an example, with or without a header, fields separated by comma,
/// semicolon or tab; csv_columns.h says which column is what. Rows are training rows unless a
/// column named split says test. Decimal point, or decimal comma where the separator is another
/// one, whatever the locale. Its source stays empty. Throws DataError (the end of a sentence that
/// starts with the file's name), naming line and field (from 1) and row and column (from 0).
[[nodiscard]] Dataset readCsv(std::string_view text);

} // namespace fullbatch
