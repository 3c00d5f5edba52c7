// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>

namespace fullbatch {

/// A wrong option, or a file that cannot be used. The text is one sentence: what is wrong, where,
/// what is allowed. The program prints it and ends with ExitWrongUsage.
class UsageError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

} // namespace fullbatch
