// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace CLI {
class App;
}

namespace fullbatch {

struct DevicesOptions
{
    bool json = false;

    void addTo(CLI::App& command);
};

/// `fullbatch devices`: prints what each engine is, or why it cannot be used and what to do.
/// Returns the exit status.
[[nodiscard]] int devicesCommand(const DevicesOptions& options);

} // namespace fullbatch
