// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fullbatch {

/// What the program tells its caller at the end.
enum ExitStatus {
    ExitDone = 0,
    ExitFailed = 1, ///< also: the run diverged
    ExitWrongUsage = 2, ///< a wrong option, or a file or data that cannot be used
    ExitInterrupted = 130 ///< by a person, after writing what there is
};

} // namespace fullbatch
