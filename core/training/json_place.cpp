// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/json_place.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>

namespace fullbatch {

namespace {

constexpr std::size_t npos = std::string_view::npos;

/// Walks through a text that is known to be valid JSON.
class Walker
{
public:
    explicit Walker(std::string_view text) : m_text(text) { }

    [[nodiscard]] std::size_t afterBlanks(std::size_t at) const
    {
        return std::min(m_text.find_first_not_of(" \t\r\n", at), m_text.size());
    }

    [[nodiscard]] char at(std::size_t place) const
    {
        return place < m_text.size() ? m_text[place] : '\0';
    }

    /// Behind the string that begins at `begin`.
    [[nodiscard]] std::size_t afterString(std::size_t begin) const
    {
        std::size_t place = begin + 1;
        while (place < m_text.size() && m_text[place] != '"')
            place += m_text[place] == '\\' ? 2 : 1;
        return std::min(place + 1, m_text.size());
    }

    /// Behind the value that begins at `begin`, whatever it is.
    [[nodiscard]] std::size_t afterValue(std::size_t begin) const
    {
        if (at(begin) == '"')
            return afterString(begin);
        if (at(begin) != '{' && at(begin) != '[')
            return std::min(m_text.find_first_of(",]} \t\r\n", begin), m_text.size());
        std::size_t depth = 0;
        std::size_t place = begin;
        do {
            const char c = at(place);
            depth += c == '{' || c == '[' ? 1U : 0U;
            depth -= c == '}' || c == ']' ? 1U : 0U;
            place = c == '"' ? afterString(place) : place + 1;
        } while (depth > 0 && place < m_text.size());
        return place;
    }

    /// Where the member of that name begins in the object at `object`.
    [[nodiscard]] std::size_t member(std::size_t object, std::string_view name) const
    {
        std::size_t place = at(object) == '{' ? afterBlanks(object + 1) : m_text.size();
        while (at(place) == '"') {
            const std::size_t end = afterString(place);
            const auto key = nlohmann::json::parse(m_text.substr(place, end - place), nullptr,
                                                   false); // undoes its escapes
            if (key.is_string() && key.get_ref<const std::string&>() == name)
                return place;
            place = next(afterValue(valueOf(place)));
        }
        return m_text.size();
    }

    /// The value of the member that begins at `key`.
    [[nodiscard]] std::size_t valueOf(std::size_t key) const
    {
        return afterBlanks(afterBlanks(afterString(key)) + 1);
    }

    /// The entry of that number in the list at `list`.
    [[nodiscard]] std::size_t entry(std::size_t list, std::size_t index) const
    {
        std::size_t place = at(list) == '[' ? afterBlanks(list + 1) : m_text.size();
        for (; index > 0 && place < m_text.size(); --index)
            place = next(afterValue(place));
        return at(place) == ']' ? m_text.size() : place;
    }

private:
    /// What begins behind a comma.
    [[nodiscard]] std::size_t next(std::size_t end) const
    {
        const std::size_t comma = afterBlanks(end);
        return at(comma) == ',' ? afterBlanks(comma + 1) : m_text.size();
    }

    std::string_view m_text;
};

} // namespace

std::string lineAndColumn(std::string_view text, std::size_t byte)
{
    const std::string_view before = text.substr(0, std::min(byte, text.size()));
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t lineStart = before.rfind('\n') + 1; // npos + 1 is 0
    return fmt::format("line {}, column {}", line, before.size() - lineStart + 1);
}

std::size_t jsonPlace(std::string_view text, std::string_view path)
{
    const Walker walker(text);
    std::size_t value = walker.afterBlanks(0);
    std::size_t place = value;
    while (!path.empty()) {
        if (path.front() == '[') {
            const std::size_t close = path.find(']');
            std::size_t index = 0;
            std::from_chars(path.data() + 1, path.data() + close, index);
            place = value = walker.entry(value, index);
            path.remove_prefix(close == npos ? path.size() : close + 1);
        } else {
            path.remove_prefix(path.front() == '.' ? 1 : 0);
            const std::size_t end = std::min(path.find_first_of(".["), path.size());
            place = walker.member(value, path.substr(0, end));
            value = place < text.size() ? walker.valueOf(place) : text.size();
            path.remove_prefix(end);
        }
    }
    return place;
}

} // namespace fullbatch
