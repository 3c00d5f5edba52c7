// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/fields/run_fields.h"

#include "core/training/fields/field_table.h"

#include <fmt/format.h>

#include <stdexcept>

namespace fullbatch {

namespace {

std::vector<RunField> makeFields()
{
    FieldTable table;
    table.add<&RunSpec::name>(
        {.key = "name", .option = "--name", .noun = "name", .help = "What the run is called"});
    addDataFields(table);
    addNetworkFields(table);
    addDescentFields(table);
    addLengthFields(table);
    addEngineFields(table);
    return table.take();
}

} // namespace

std::span<const RunField> runFields()
{
    static const std::vector<RunField> fields = makeFields();
    return fields;
}

const RunField& runField(std::string_view key)
{
    for (const RunField& field : runFields())
        if (field.key == key)
            return field;
    throw std::logic_error("There is no field of a run called " + std::string(key) + ".");
}

std::string valueText(const RunField& field, const RunSpec& spec)
{
    const FieldValue value = field.get(spec);
    if (const bool* flag = std::get_if<bool>(&value))
        return *flag ? "on" : "off";
    if (const auto* whole = std::get_if<std::int64_t>(&value))
        return *whole == 0 && !field.zero.empty() ? std::string(field.zero)
                                                  : fmt::format("{}", *whole);
    if (const double* real = std::get_if<double>(&value))
        return fmt::format("{}", *real);
    if (const auto* widths = std::get_if<std::vector<std::int64_t>>(&value))
        return widthsText(*widths);
    return std::get<std::string>(value);
}

} // namespace fullbatch
