// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace fullbatch {

enum class NumberProblem { None, NotANumber, TooLarge, MixedDecimals };

/// Reads the numbers of one csv file, in every locale alike. Where the separator leaves the comma
/// free it may be the decimal mark; the first mark found holds for the whole file.
class CsvNumbers
{
public:
    explicit CsvNumbers(bool commaAllowed) : m_commaAllowed(commaAllowed) { }

    /// "nan" and "inf" in any spelling are read as such. What is too small for a double is 0.
    [[nodiscard]] NumberProblem read(std::string_view field, double& value);
    /// Point or comma; 0 while every number was whole.
    [[nodiscard]] char decimalMark() const { return m_mark; }

private:
    bool m_commaAllowed;
    char m_mark = 0;
};

/// Whether the field looks like a number or like one that is missing ("", "NA", "nan", "inf").
[[nodiscard]] bool isNumberLike(std::string_view field);

} // namespace fullbatch
