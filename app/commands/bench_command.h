// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace fullbatch {

struct BenchOptions
{
    std::optional<std::string> engine, threads, widths, batchSize, seconds;
    bool json = false;

    void addTo(CLI::App& command);
};

/// `fullbatch bench`: the time of one epoch of the networks of figure 20.2 (or of the one given) on
/// MNIST-1D, on every usable engine (or the one given). Returns the exit status; throws UsageError.
[[nodiscard]] int benchCommand(const BenchOptions& options);

} // namespace fullbatch
