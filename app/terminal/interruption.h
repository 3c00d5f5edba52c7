// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fullbatch {

/// While it lives, the first Ctrl-C (SIGINT), SIGTERM or SIGHUP is only noted; a second one ends
/// the process at once with ExitInterrupted. A closed pipe is an error of writing, not a signal.
/// One at a time.
class Interruption
{
public:
    Interruption();
    ~Interruption();
    Interruption(const Interruption&) = delete;
    Interruption& operator=(const Interruption&) = delete;

    [[nodiscard]] static bool requested();
};

} // namespace fullbatch
