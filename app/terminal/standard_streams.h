// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace fullbatch {

/// Results, to standard output. Throws OutputError when they cannot be written (a closed pipe, a
/// full disk).
void printResults(const std::string& text);

/// One sentence on standard error.
void printError(const std::string& sentence);

} // namespace fullbatch
