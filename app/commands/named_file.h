// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace fullbatch {

/// A check for options that take a file: an empty name, as an unset variable of a script gives, is
/// a mistake and not the same as leaving the option out.
inline CLI::Validator namedFile()
{
    return CLI::Validator(
        [](const std::string& name) {
            return name.empty() ? std::string("the name of the file is empty") : std::string();
        },
        "");
}

} // namespace fullbatch
