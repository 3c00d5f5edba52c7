// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/csv_number.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <string>

namespace fullbatch {

namespace {

/// Whether a number that no double holds is too small rather than too large for one.
bool isTiny(std::string_view number)
{
    const std::size_t exponent = number.find_first_of("eE");
    if (exponent != std::string_view::npos)
        return number.substr(exponent + 1).starts_with('-');
    const std::string_view whole = number.substr(0, number.find('.'));
    return whole.find_first_of("123456789") == std::string_view::npos;
}

NumberProblem readPlain(std::string_view number, double& value)
{
    if (number.starts_with('+') && !number.starts_with("+-"))
        number.remove_prefix(1);
    const char* const end = number.data() + number.size();
    const auto [read, error] = std::from_chars(number.data(), end, value);
    if (error == std::errc::invalid_argument || read != end)
        return NumberProblem::NotANumber;
    if (error != std::errc::result_out_of_range)
        return NumberProblem::None;
    value = 0;
    return isTiny(number) ? NumberProblem::None : NumberProblem::TooLarge;
}

} // namespace

NumberProblem CsvNumbers::read(std::string_view field, double& value)
{
    const std::size_t mark = field.find_first_of(".,");
    if (mark == std::string_view::npos)
        return readPlain(field, value);
    if (field[mark] == ',' && !m_commaAllowed)
        return NumberProblem::NotANumber;
    if (m_mark == 0)
        m_mark = field[mark];
    if (field[mark] != m_mark)
        return NumberProblem::MixedDecimals;
    if (m_mark == '.')
        return readPlain(field, value);
    std::string number(field);
    number[mark] = '.';
    return readPlain(number, value);
}

bool isNumberLike(std::string_view field)
{
    constexpr std::array<std::string_view, 8> missing = {"",     "na",   "n/a", "nan",
                                                         "null", "none", "inf", "-inf"};
    std::string lower(field.substr(0, 16));
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    if (std::find(missing.begin(), missing.end(), lower) != missing.end())
        return true;
    double value = 0;
    return CsvNumbers(true).read(field, value) != NumberProblem::NotANumber;
}

} // namespace fullbatch
