// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fullbatch {

/// Opens the workbench and returns when it is closed, with the exit status. Throws UsageError where
/// there is no display.
[[nodiscard]] int openWindow(int argc, char** argv);

} // namespace fullbatch
