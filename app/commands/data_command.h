// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/run_spec.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace fullbatch {

/// The options of `fullbatch data` as typed. What is absent is as in the published recipe.
struct DataOptions
{
    std::optional<std::string> data;
    std::optional<std::string> samples, trainFraction, padding, scale, translation;
    std::optional<std::string> correlatedNoise, independentNoise, shear, length, seed;
    std::vector<std::filesystem::path> outputs;
    bool json = false;

    void addTo(CLI::App& command);
};

/// Which data are meant. Throws UsageError.
[[nodiscard]] DataSpec dataSpec(const DataOptions& options);

/// `fullbatch data`: makes or reads the data, prints what they are and writes them. Returns the
/// exit status; throws UsageError and DataError before anything is written.
[[nodiscard]] int dataCommand(const DataOptions& options);

} // namespace fullbatch
