// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/option_value.h"

#include "app/terminal/usage_error.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

namespace fullbatch {

namespace {

[[noreturn]] void refuse(const std::string& option, const std::string& text, std::string_view what,
                         const std::string& allowed)
{
    throw UsageError(fmt::format("{}: \"{}\" {}; allowed is {}.", option, text, what, allowed));
}

// std::from_chars knows no leading plus sign, which people do type, and no spaces around a number,
// which come along when it is pasted.
std::string_view withoutPlus(std::string_view text)
{
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos)
        return {};
    text = text.substr(first, text.find_last_not_of(" \t") - first + 1);
    return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

template <typename Number>
std::from_chars_result read(std::string_view text, Number& value)
{
    return std::from_chars(text.data(), text.data() + text.size(), value);
}

bool isWhole(std::string_view text, const std::from_chars_result& result)
{
    return result.ec != std::errc::invalid_argument && result.ptr == text.data() + text.size();
}

} // namespace

std::int64_t wholeNumber(const std::string& option, const std::string& text,
                         const std::string& allowed)
{
    const std::string_view digits = withoutPlus(text);
    std::int64_t value = 0;
    const auto result = read(digits, value);
    if (!isWhole(digits, result))
        refuse(option, text, "is not a whole number", allowed);
    if (result.ec == std::errc::result_out_of_range)
        refuse(option, text, digits[0] == '-' ? "is too small" : "is too large", allowed);
    return value;
}

double realNumber(const std::string& option, const std::string& text, const std::string& allowed)
{
    const std::string_view digits = withoutPlus(text);
    double value = 0;
    const auto result = read(digits, value);
    if (!isWhole(digits, result) || (result.ec == std::errc() && !std::isfinite(value)))
        refuse(option, text, "is not a number", allowed);
    if (result.ec == std::errc::result_out_of_range)
        refuse(option, text, "is outside what a 64-bit float holds", allowed);
    return value;
}

std::vector<std::int64_t> widthList(const std::string& option, const std::string& text)
{
    const std::string allowed =
        "a list of whole numbers from 1 up with commas between them, such as 63,63,63,63";
    std::vector<std::int64_t> widths;
    for (std::size_t first = 0; first <= text.size();) {
        const std::size_t comma = std::min(text.find(',', first), text.size());
        const std::string one = text.substr(first, comma - first);
        if (one.empty())
            refuse(option, text, "lacks a width", allowed);
        widths.push_back(wholeNumber(option, one, allowed));
        if (widths.back() < 1)
            refuse(option, one, "is no width", allowed);
        first = comma + 1;
    }
    return widths;
}

} // namespace fullbatch
