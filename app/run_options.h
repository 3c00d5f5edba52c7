// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"
#include "core/training/run_spec.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace fullbatch {

/// Parameters that a depth without a width is given: those of the book's one-layer network.
inline constexpr std::int64_t standardBudget = 15'208;

/// The options of `fullbatch run` as typed. What is absent comes from --spec, then from --preset,
/// then from RunSpec's own defaults.
struct RunOptions
{
    std::optional<std::string> preset, depth, width, widths;
    std::optional<std::string> learningRate, momentum, batchSize, epochs, seed;
    std::optional<std::string> engine, precision, threads, data, testEvery;
    std::filesystem::path specFile; ///< empty: none; likewise below
    std::filesystem::path csv, weights, saveSpec;
    std::vector<std::filesystem::path> plots;
    bool json = false;
    bool quiet = false;

    void addTo(CLI::App& command);
};

/// What is to be trained, as far as the options alone say it: the precision is left for settle(),
/// the widths of a --depth without --width for hiddenWidths(). Throws UsageError.
[[nodiscard]] RunSpec requestedSpec(const RunOptions& options);

/// Gives `spec` the precision, the engine's default where none is asked for. Throws UsageError for
/// one that the engine does not compute in, and for values that no run can have.
void settle(RunSpec& spec, const RunOptions& options, const EngineChoice& engine);

/// The hidden layers for data of these sizes: as typed, or as `spec` has them, or of equal width by
/// the standard budget. Throws UsageError, also for a depth that does not fit into
/// `availableBytes` of memory.
[[nodiscard]] std::vector<std::int64_t> hiddenWidths(const RunOptions& options, const RunSpec& spec,
                                                     std::int64_t features, std::int64_t classes,
                                                     double availableBytes);

/// Throws UsageError unless every output file could be written now, and each is another one.
void checkOutputs(const RunOptions& options);

} // namespace fullbatch
