// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/csv_columns.h"

#include "core/data/dataset.h"
#include "core/files/csv_number.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace fullbatch {

namespace {

constexpr std::array<std::string_view, 5> labelNames = {"y", "label", "labels", "class", "target"};

std::string lowered(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return result;
}

std::optional<std::size_t> find(const std::vector<std::string>& names, std::string_view wanted)
{
    for (std::size_t column = 0; column < names.size(); ++column) {
        if (lowered(names[column]) == wanted)
            return column;
    }
    return std::nullopt;
}

std::optional<std::size_t> findLabel(const std::vector<std::string>& names)
{
    for (const std::string_view name : labelNames) {
        if (const auto column = find(names, name))
            return column;
    }
    return std::nullopt;
}

bool isHeader(const std::vector<std::string>& names)
{
    if (find(names, "split") || findLabel(names))
        return true;
    const auto numbers = std::count_if(names.begin(), names.end(), isNumberLike);
    return static_cast<std::size_t>(numbers) * 2 < names.size();
}

bool isWhole(std::string_view field)
{
    return !field.empty() && std::all_of(field.begin(), field.end(), [](unsigned char digit) {
        return std::isdigit(digit);
    });
}

/// Where most rows near the beginning have a whole number. A bad label does not move the column.
std::size_t guessLabel(const std::vector<CsvLine>& lines, const CsvColumns& columns)
{
    constexpr std::size_t looked = 100;
    const std::size_t first = columns.header ? 1 : 0;
    std::size_t rows = 0;
    std::size_t firstWhole = 0;
    std::size_t lastWhole = 0;
    std::vector<std::string_view> fields;
    for (std::size_t line = first; line < std::min(lines.size(), first + looked); ++line) {
        splitFields(lines[line].text, columns.separator, fields);
        ++rows;
        firstWhole += isWhole(fields.front()) ? 1 : 0;
        lastWhole += isWhole(fields.back()) ? 1 : 0;
    }
    return firstWhole * 2 < rows && lastWhole * 2 > rows ? columns.count - 1 : 0;
}

void checkNames(const CsvLine& line, const std::vector<std::string>& names)
{
    for (std::size_t column = 0; column < names.size(); ++column) {
        if (names[column].empty())
            throw DataError("line " + std::to_string(line.number)
                            + ", the header, has no name in "
                              "field "
                            + std::to_string(column + 1)
                            + "; every column must have one (remove a column of row numbers)");
    }
}

} // namespace

CsvColumns csvColumns(const std::vector<CsvLine>& lines)
{
    CsvLine first = lines.front();
    const bool comment = first.text.starts_with('#'); // as numpy.savetxt writes a header
    if (comment)
        first.text.remove_prefix(1);
    CsvColumns columns;
    columns.separator = separatorOf(first.text);
    std::vector<std::string_view> fields;
    splitFields(first.text, columns.separator, fields);
    columns.names.assign(fields.begin(), fields.end());
    columns.count = fields.size();
    if (columns.count < 2)
        throw DataError("line " + std::to_string(first.number)
                        + " has a single field; a row must be a label and at least one input, "
                          "separated by comma, semicolon or tab");
    columns.header = comment || isHeader(columns.names);
    if (columns.header) {
        checkNames(first, columns.names);
        columns.split = find(columns.names, "split");
        columns.label = findLabel(columns.names).value_or(guessLabel(lines, columns));
    } else {
        columns.names.clear();
        columns.label = guessLabel(lines, columns);
    }
    for (std::size_t column = 0; column < columns.count; ++column) {
        if (column != columns.label && column != columns.split)
            columns.inputs.push_back(column);
    }
    if (columns.inputs.empty())
        throw DataError("its rows hold no inputs; a row must be a label and at least one input");
    return columns;
}

} // namespace fullbatch
