// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/fields/run_fields_json.h"
#include "core/training/run_spec.h"

#include <fmt/format.h>

namespace fullbatch {

std::string toJson(const RunSpec& spec)
{
    JsonText::Json json = {{"version", RunSpec::version}};
    json.update(fieldsJson(spec));
    return jsonLines(json);
}

RunSpec runSpecFromJson(const std::string& text)
{
    const JsonText json(text, "The run description");
    // The version comes first: a newer file may well have keys that are unknown here.
    if (const auto found = json.root().find("version"); found != json.root().end()) {
        if (!found->is_number_integer())
            json.refuseAt("version", "must have a whole number as");
        const auto version = found->get<std::int64_t>();
        if (version > RunSpec::version)
            json.refuse(fmt::format("has version {}, made by a newer program; this one reads "
                                    "versions up to {}",
                                    version, RunSpec::version));
        if (version < 1)
            json.refuse(fmt::format("has version {}, but versions begin with 1", version));
    }
    RunSpec spec;
    json.readFields(json.root(), "", {"version"}, spec);
    return spec;
}

} // namespace fullbatch
