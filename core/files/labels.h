// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace fullbatch {

/// The labels of one split as a file holds them, and how to name a row in a message.
struct RawLabels
{
    std::vector<double> values;
    std::function<std::string(std::size_t row)> rowName; ///< "row 17 of y (counted from 0)"
};

/// The number of classes: the largest training label + 1. Throws DataError, naming the row, unless
/// every label of both splits is a whole number (3.0 is 3) in 0 .. classes-1.
///
/// No file says how many classes it has, so these are taken for mistakes rather than for more
/// classes: labels that start at 1 (no row has 0), a largest label that fewer than one in a hundred
/// of the rows has that an even share would give it, a test label above every training label, and
/// more classes than both 1,000 and the training rows. A class without rows is accepted below the
/// largest label.
[[nodiscard]] std::int32_t countClasses(const RawLabels& train, const RawLabels& test);

/// The labels as integers, once countClasses() has accepted them.
[[nodiscard]] std::vector<std::int32_t> integerLabels(const RawLabels& labels);

} // namespace fullbatch
