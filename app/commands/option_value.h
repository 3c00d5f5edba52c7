// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fullbatch {

// Numbers as typed on the command line. The decimal mark is a point in every locale, and the whole
// text must be the number. `option` and `allowed` go into the sentence of the UsageError that a
// wrong text throws: "--epochs: \"1.5\" is not a whole number; allowed is " + allowed + ".".

/// -3, 42.
[[nodiscard]] std::int64_t wholeNumber(const std::string& option, const std::string& text,
                                       const std::string& allowed);

/// 0.0025, 2.5e-3, .5. Refuses nan, inf and what a double cannot hold, too large or too near to 0.
[[nodiscard]] double realNumber(const std::string& option, const std::string& text,
                                const std::string& allowed);

/// "63,31": hidden widths, each at least 1.
[[nodiscard]] std::vector<std::int64_t> widthList(const std::string& option,
                                                  const std::string& text);

} // namespace fullbatch
