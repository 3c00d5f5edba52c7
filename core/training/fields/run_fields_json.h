// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/run_spec.h"

#include <nlohmann/json.hpp>

namespace fullbatch {

/// A JSON text from which fields of runs are read, and what its refusals are about.
class JsonText
{
public:
    using Json = nlohmann::ordered_json;

    /// `subject` begins every sentence: "The run description". Throws std::invalid_argument unless
    /// the text is JSON in UTF-8.
    JsonText(std::string text, std::string subject);

    [[nodiscard]] const Json& root() const { return m_root; }

    /// Throws std::invalid_argument with "<subject> <what>.".
    [[noreturn]] void refuse(const std::string& what) const;
    /// The same with the path and its line and column behind `what`: `must have a number as
    /// "learningRate" (line 3, column 5)`.
    [[noreturn]] void refuseAt(const std::string& path, const std::string& what) const;
    /// Refuses a key of the object at `path` (empty: the root) that is not one of `known`.
    void refuseUnknownKeys(const Json& object, const std::string& path,
                           const std::vector<std::string_view>& known) const;

    /// Sets the fields of `spec` that `object`, which stands at `path`, has; keys of `others` are
    /// passed over, all other keys refused.
    void readFields(const Json& object, const std::string& path,
                    const std::vector<std::string_view>& others, RunSpec& spec) const;

private:
    std::string m_text;
    std::string m_subject;
    Json m_root;
};

/// All fields as one object, inner ones nested, in the order of the table.
[[nodiscard]] nlohmann::ordered_json fieldsJson(const RunSpec& spec);
/// The same of those alone that are not as in `other`.
[[nodiscard]] nlohmann::ordered_json differingFieldsJson(const RunSpec& spec, const RunSpec& other);

/// Two spaces, bytes that are not UTF-8 as U+FFFD, a line end behind it.
[[nodiscard]] std::string jsonLines(const nlohmann::ordered_json& json);

} // namespace fullbatch
