// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace fullbatch {

/// One line of a csv file. `number` counts from 1, as editors do.
struct CsvLine
{
    std::size_t number = 0;
    std::string_view text;
};

/// The lines of a text, which end with LF, CR LF or CR. A byte order mark of UTF-8 and blank lines
/// at the end are left out.
[[nodiscard]] std::vector<CsvLine> csvLines(std::string_view text);

/// Tab if there is one in the line, else semicolon, else comma.
[[nodiscard]] char separatorOf(std::string_view line);

/// The fields of a line without the space and the quotation marks around them. A separator between
/// quotation marks belongs to the field.
void splitFields(std::string_view line, char separator, std::vector<std::string_view>& fields);

} // namespace fullbatch
