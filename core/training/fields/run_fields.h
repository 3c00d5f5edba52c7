// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/run_spec.h"

#include <span>
#include <string_view>
#include <variant>

namespace fullbatch {

/// A field's value without its C++ type.
using FieldValue = std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>>;

enum class FieldType {
    Flag, ///< bool
    Whole, ///< std::int64_t
    Real, ///< double
    Text, ///< std::string
    Choice, ///< std::string, one of `choices`
    Widths ///< std::vector<std::int64_t>
};

/// Headings under which help and form show the fields; Hidden ones are in files only.
enum class FieldGroup { Data, Network, Descent, Length, Ends, Engine, Hidden };

/// When a run's name says the field's value (see run_names.h).
enum class Naming { Never, Experiment, Repeat };

/// All that is known of one field of a run. The JSON, the options of the command line, the form,
/// the names, the messages are made from this, so a new field is a member of RunSpec (or of what it
/// consists of) and a line in the table.
struct RunField
{
    FieldType type = FieldType::Text;
    FieldGroup group = FieldGroup::Hidden;
    Naming naming = Naming::Never;
    std::string_view key = {}; ///< in JSON; a point leads into an inner object: "data.recipe.seed"
    std::string_view option = {}; ///< "--learning-rate"; empty: none
    std::string_view label = {}; ///< of the form: "Learning &rate"
    std::string_view noun = {}; ///< in sentences: "The " + noun + " is 0, but it must be ..."
    std::string_view allowed = {}; ///< "a number above 0, such as 0.0025"
    std::string_view help = {}; ///< of the option, one line
    std::string_view tip = {}; ///< of the form's input
    bool rare = false; ///< the form shows it on request, or when it is not the default
    std::string_view zero = {}; ///< what stands for 0 where that is no number: "full"; may be empty

    double least = 0; ///< of a Whole or Real value
    double most = 0;
    bool aboveLeast = false; ///< `least` itself is not allowed
    bool belowMost = false; ///< `most` itself is not allowed
    std::int64_t smallestStored = 0; ///< of the C++ type of a Whole field
    std::uint64_t largestStored = 0;
    std::vector<std::string_view> choices = {};

    FieldValue (*get)(const RunSpec&) = nullptr;
    void (*set)(RunSpec&, const FieldValue&) = nullptr; ///< of the right type and storable
    /// A problem that the range does not cover, a whole sentence or empty; null: none.
    std::string (*problem)(const RunSpec&) = nullptr;
    /// Whether the field has an effect beside the others; null: always.
    bool (*matters)(const RunSpec&) = nullptr;
    /// How a run's name says it; null: the noun and the value, as valueText() has it.
    std::string (*nameText)(const RunSpec&) = nullptr;

    [[nodiscard]] bool hasEffect(const RunSpec& spec) const
    {
        return matters == nullptr || matters(spec);
    }
};

/// Every field, in the order in which people are shown them. Made once.
[[nodiscard]] std::span<const RunField> runFields();

/// The field of that key, which must exist.
[[nodiscard]] const RunField& runField(std::string_view key);

/// The value as people and command lines write it: "0.9", "on", "63,63", "full".
[[nodiscard]] std::string valueText(const RunField& field, const RunSpec& spec);

} // namespace fullbatch
