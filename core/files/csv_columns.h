// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/csv_text.h"

#include <optional>
#include <string>

namespace fullbatch {

/// What the columns of a csv file are.
struct CsvColumns
{
    char separator = ',';
    bool header = false; ///< the first line names the columns
    std::vector<std::string> names; ///< of a header
    std::size_t count = 0;
    std::size_t label = 0;
    std::optional<std::size_t> split; ///< says train or test
    std::vector<std::size_t> inputs; ///< the others, in order
};

/// Decides by the first lines. A header is a first line that names a label or split column, or in
/// which most fields are no numbers. The label column is the one named y, label, labels, class or
/// target (in any case); without such a name it is the first column, unless only the last one holds
/// whole numbers. A column named split divides training from test rows. Throws DataError when there
/// are fewer than two columns or a column has no name.
[[nodiscard]] CsvColumns csvColumns(const std::vector<CsvLine>& lines);

} // namespace fullbatch
