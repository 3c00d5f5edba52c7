// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace fullbatch {

/// While it lives, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP calls a function in the GUI thread,
/// from its event loop; a second one ends the process at once. Made and destroyed in the GUI
/// thread, one at a time. For programs with a window; Interruption is for the terminal.
class EndSignals
{
public:
    explicit EndSignals(std::function<void()> end);
    ~EndSignals();
    EndSignals(const EndSignals&) = delete;
    EndSignals& operator=(const EndSignals&) = delete;
};

} // namespace fullbatch
