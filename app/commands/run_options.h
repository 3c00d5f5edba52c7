// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/engine_choice.h"
#include "core/training/fields/run_fields.h"
#include "core/training/presets.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
} // namespace CLI

namespace fullbatch {

/// Parameters that a depth without a width is given: those of the book's one-layer network.
inline constexpr std::int64_t standardBudget = 15'208;

/// The options of `fullbatch run` as typed: one for each field of the table that has one, and those
/// that are no fields. What is absent comes from --spec, then from --preset, then from RunSpec's
/// own defaults. Not copied once addTo() was called: CLI11 keeps its addresses.
struct RunOptions
{
    /// What was typed for a field of the table.
    struct Typed
    {
        const RunField* field;
        std::optional<std::string> text; ///< of a field that is no flag
        bool on = false; ///< of a flag
        const CLI::Option* flag = nullptr; ///< tells whether it was typed
    };
    std::vector<Typed> fields;

    std::optional<std::string> preset, run, depth, width;
    std::filesystem::path specFile; ///< empty: none; likewise below
    std::filesystem::path csv, weights, saveSpec;
    std::vector<std::filesystem::path> plots;
    bool json = false;
    bool quiet = false;

    void addTo(CLI::App& command);
    /// What was typed for the field of that key; nothing when nothing was.
    [[nodiscard]] const std::optional<std::string>& text(std::string_view key) const;
};

/// What is to be trained, one run or several, as far as the options alone say it: the precision is
/// left for settle(), the widths of a --depth without --width for hiddenWidths(). Throws
/// UsageError.
[[nodiscard]] Preset requestedRuns(const RunOptions& options);

/// Gives `spec` the precision, the engine's default where none is asked for. Throws UsageError for
/// one that the engine does not compute in, and for values that no run can have.
void settle(RunSpec& spec, const RunOptions& options, const EngineChoice& engine);

/// The hidden layers for data of these sizes: as typed, or as `spec` has them, or of equal width by
/// the standard budget. Throws UsageError, also for a depth that does not fit into
/// `availableBytes` of memory.
[[nodiscard]] std::vector<std::int64_t> hiddenWidths(const RunOptions& options, const RunSpec& spec,
                                                     std::int64_t features, std::int64_t classes,
                                                     double availableBytes);

/// The file for one of several runs: "curve.csv" as "curve-batch-16.csv"; as it is for a single
/// one. `run` counts from 0.
[[nodiscard]] std::filesystem::path outputFile(const std::filesystem::path& file,
                                               const std::vector<RunSpec>& runs, std::size_t run);

/// Throws UsageError unless every output file of the runs could be written now, and each is another
/// one.
void checkOutputs(const RunOptions& options, const std::vector<RunSpec>& runs);

} // namespace fullbatch
