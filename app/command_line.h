// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fullbatch {

/// The whole program: reads the command line and runs the subcommand, or opens the window where
/// there is none. Prints one sentence for what goes wrong and returns the exit status.
[[nodiscard]] int runProgram(int argc, char** argv);

} // namespace fullbatch
