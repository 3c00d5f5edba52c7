// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/labels.h"

#include "core/data/dataset.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

namespace fullbatch {

namespace {

std::string text(double value)
{
    std::array<char, 400> digits{};
    char* const end = digits.data() + digits.size();
    const bool whole = std::abs(value) < 1e15 && value == std::floor(value);
    const auto result = whole ? std::to_chars(digits.data(), end, static_cast<std::int64_t>(value))
                              : std::to_chars(digits.data(), end, value);
    return {digits.data(), result.ptr};
}

std::string range(double largest)
{
    return "0 to " + text(std::max(largest, 0.0));
}

[[noreturn]] void refuse(const RawLabels& labels, std::size_t row, const std::string& remark)
{
    throw DataError(labels.rowName(row) + " has the label " + text(labels.values[row]) + "; "
                    + remark);
}

std::size_t firstRowWith(const RawLabels& labels, double value)
{
    return static_cast<std::size_t>(std::find(labels.values.begin(), labels.values.end(), value)
                                    - labels.values.begin());
}

double largestWhole(const RawLabels& labels)
{
    double largest = 0;
    for (const double value : labels.values) {
        if (std::isfinite(value) && value == std::floor(value))
            largest = std::max(largest, value);
    }
    return largest;
}

void checkWhole(const RawLabels& labels, double largest)
{
    for (std::size_t row = 0; row < labels.values.size(); ++row) {
        const double value = labels.values[row];
        if (!(value >= 0 && value == std::floor(value) && std::isfinite(value)))
            refuse(labels, row, "labels must be whole numbers, here " + range(largest));
    }
}

/// Whether the largest label is a class of its own or a mistake; see countClasses().
void checkLargest(const RawLabels& train, double largest)
{
    std::map<double, std::size_t> rows;
    for (const double value : train.values)
        ++rows[value];
    if (rows.begin()->first > 0)
        refuse(train, firstRowWith(train, largest),
               "labels must start at 0, but the smallest one is " + text(rows.begin()->first)
                   + ": subtract it from each label");
    const auto all = static_cast<double>(train.values.size());
    constexpr double alwaysAllowed = 1000;
    if (largest >= std::max(alwaysAllowed, all))
        refuse(train, firstRowWith(train, largest),
               "labels must be smaller than the number of training rows, here " + range(all - 1));
    const double evenShare = all / static_cast<double>(rows.size());
    const std::size_t found = rows.rbegin()->second;
    if (rows.size() > 1 && static_cast<double>(found) * 100 < evenShare)
        refuse(train, firstRowWith(train, largest),
               "only " + std::to_string(found) + " of " + text(all)
                   + " rows have it, too few for a class: labels must be "
                   + range(std::next(rows.rbegin())->first));
}

} // namespace

std::int32_t countClasses(const RawLabels& train, const RawLabels& test)
{
    if (train.values.empty())
        throw DataError("it has no training rows; there must be at least one");
    const double largest = largestWhole(train);
    checkWhole(train, largest);
    checkLargest(train, largest);
    checkWhole(test, largest);
    for (std::size_t row = 0; row < test.values.size(); ++row) {
        if (test.values[row] > largest)
            refuse(test, row,
                   "the training labels go " + range(largest)
                       + ", and no test label may be larger");
    }
    if (largest >= static_cast<double>(INT32_MAX))
        refuse(train, firstRowWith(train, largest), "labels must be below 2147483647");
    return static_cast<std::int32_t>(largest) + 1;
}

std::vector<std::int32_t> integerLabels(const RawLabels& labels)
{
    std::vector<std::int32_t> integers;
    integers.reserve(labels.values.size());
    for (const double value : labels.values)
        integers.push_back(static_cast<std::int32_t>(value));
    return integers;
}

} // namespace fullbatch
