// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/run_spec.h"

#include <span>
#include <string_view>
#include <vector>

namespace fullbatch {

/// An experiment that is described once: one or several runs, and what a person is told of them.
/// A plain value; a JSON file.
struct Preset
{
    static constexpr int version = 1;

    std::string id; ///< of a built-in one, its file's name without ending: "figure-20-2"
    std::string title;
    std::string place; ///< in the book or the article; may be empty
    std::string text; ///< what there is to see; may be empty
    std::vector<std::string> charts; ///< the first is shown first: "error", "loss"
    std::vector<RunSpec> runs; ///< at least one
};

/// Those of resources/presets, in the order in which people are shown them.
[[nodiscard]] std::span<const Preset> builtInPresets();

/// The built-in preset of that id, or of the run of that name alone ("four-layers"). Throws
/// std::invalid_argument, with the names there are, for another.
[[nodiscard]] Preset presetByName(std::string_view name);

/// The four networks of figure 20.2 in S. Prince, "Understanding Deep Learning" (2023), and its
/// notebook: equal parameter counts, learning rate 0.0025, full batch, 200,000 epochs and 500,000
/// for the one-layer network. Their names: one-layer, two-layers, three-layers, four-layers.
[[nodiscard]] std::vector<RunSpec> figure202Presets();

/// Reads a preset: "title", "place", "text", "charts", "common" (fields of every run) and "runs"
/// (a list of objects, each with the fields that are its own). Throws std::invalid_argument with
/// one sentence, which begins with `subject` and names the key with line and column, for what is
/// not JSON, missing, unknown or of a wrong type, and for values that no run can have.
[[nodiscard]] Preset presetFromJson(const std::string& text, const std::string& subject);

/// What presetFromJson() reads, with the fields that differ from the defaults alone.
[[nodiscard]] std::string toJson(const Preset& preset);

} // namespace fullbatch
