// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/standard_streams.h"

#include "core/exchange/output_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace fullbatch {

void printResults(const std::string& text)
{
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
        throw OutputError(std::string("The results cannot be written to standard output: ")
                          + std::strerror(errno) + ".");
}

void printError(const std::string& sentence)
{
    std::fputs((sentence + "\n").c_str(), stderr);
}

} // namespace fullbatch
