// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/run_options.h"

namespace fullbatch {

/// `fullbatch run`: trains, writes the files that were asked for and prints the result. Returns the
/// exit status; throws UsageError and DataError before anything is done.
[[nodiscard]] int runCommand(const RunOptions& options);

} // namespace fullbatch
