// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace fullbatch {

/// How a child process ended, and what it wrote to its standard output.
struct ChildEnd
{
    std::string output; ///< cut at one mebibyte
    std::optional<int> exitStatus; ///< when it ended by itself
    int signal = 0; ///< that ended it; 0: none
    bool timedOut = false; ///< it was killed at the time limit
    std::string failure; ///< why it could not be started, the system's words; empty when it was
};

/// Runs a program to its end, without a shell and without a standard input; what it says on
/// standard error is dropped. Never takes much longer than `limit`: a child that is still there
/// then is killed, and left behind where even that does not end it. Any thread.
[[nodiscard]] ChildEnd runChild(const std::filesystem::path& program,
                                const std::vector<std::string>& arguments,
                                std::chrono::milliseconds limit);

/// For a child: ends it when the thread that started it ends, not by Ctrl-C on its own, and leaves
/// no core file behind.
void endWithParent();

} // namespace fullbatch
