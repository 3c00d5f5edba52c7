// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/csv_text.h"

namespace fullbatch {

namespace {

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view space = " \t\r\f\v";
    const std::size_t first = text.find_first_not_of(space);
    if (first == std::string_view::npos)
        return {};
    return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::string_view unquoted(std::string_view field)
{
    field = trimmed(field);
    if (field.size() >= 2 && field.front() == '"' && field.back() == '"')
        field = trimmed(field.substr(1, field.size() - 2));
    return field;
}

} // namespace

std::vector<CsvLine> csvLines(std::string_view text)
{
    if (text.starts_with("\xef\xbb\xbf"))
        text.remove_prefix(3);
    const bool onlyReturns = text.find('\n') == std::string_view::npos;
    const char end = onlyReturns ? '\r' : '\n';
    std::vector<CsvLine> lines;
    for (std::size_t number = 1; !text.empty(); ++number) {
        const std::size_t length = text.find(end);
        lines.push_back({number,
                         trimmed(text.substr(0, length)).empty() ? std::string_view()
                                                                 : text.substr(0, length)});
        text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
    }
    while (!lines.empty() && lines.back().text.empty())
        lines.pop_back();
    return lines;
}

char separatorOf(std::string_view line)
{
    for (const char separator : {'\t', ';'}) {
        if (line.find(separator) != std::string_view::npos)
            return separator;
    }
    return ',';
}

void splitFields(std::string_view line, char separator, std::vector<std::string_view>& fields)
{
    fields.clear();
    std::size_t first = 0;
    bool quoted = false;
    for (std::size_t index = 0; index < line.size(); ++index) {
        if (line[index] == '"')
            quoted = !quoted;
        else if (line[index] == separator && !quoted) {
            fields.push_back(unquoted(line.substr(first, index - first)));
            first = index + 1;
        }
    }
    fields.push_back(unquoted(line.substr(first)));
}

} // namespace fullbatch
