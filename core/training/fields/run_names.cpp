// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/fields/run_names.h"

#include "core/engine/precision_names.h"
#include "core/training/fields/run_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fullbatch {

namespace {

/// What a name says of the field; nothing where the field has no effect.
std::string textOf(const RunField& field, const RunSpec& run)
{
    if (!field.hasEffect(run))
        return {};
    if (field.nameText != nullptr)
        return field.nameText(run);
    if (field.type == FieldType::Flag)
        return fmt::format("{}{}", std::get<bool>(field.get(run)) ? "" : "no ", field.noun);
    return fmt::format("{} {}", field.noun, valueText(field, run));
}

bool isReduced(Precision precision)
{
    return precision != Precision::Fp32 && precision != Precision::Fp64;
}

bool hasOwnName(std::span<const RunSpec> runs, const RunSpec& run)
{
    const auto alike = std::count_if(runs.begin(), runs.end(),
                                     [&](const RunSpec& other) { return other.name == run.name; });
    return !run.name.empty() && alike == 1;
}

/// Whether two runs in which the field has an effect differ in it: where it has one in some alone,
/// another field says so.
bool differ(std::span<const RunSpec> runs, const RunField& field)
{
    std::set<std::string> texts;
    for (const RunSpec& run : runs)
        if (field.hasEffect(run))
            texts.insert(textOf(field, run));
    return texts.size() > 1;
}

void append(std::string& name, const std::string& text)
{
    if (!text.empty())
        name += ", " + text;
}

/// Adds what `field` says wherever runs that are called the same differ in it.
void tellApart(std::span<const RunSpec> runs, std::vector<std::string>& names,
               const RunField& field)
{
    const std::vector<std::string> before = names;
    for (std::size_t run = 0; run < runs.size(); ++run)
        for (std::size_t other = 0; other < runs.size(); ++other)
            if (before[other] == before[run]
                && textOf(field, runs[other]) != textOf(field, runs[run])) {
                append(names[run], textOf(field, runs[run]));
                break;
            }
}

/// "(2)" and so on behind every name that an earlier run has.
void numberTheRest(std::vector<std::string>& names)
{
    std::set<std::string> taken;
    for (std::string& name : names) {
        std::string candidate = name;
        for (int number = 2; taken.count(candidate) > 0; ++number)
            candidate = fmt::format("{} ({})", name, number);
        name = *taken.insert(candidate).first;
    }
}

} // namespace

std::vector<std::string> runNames(std::span<const RunSpec> runs)
{
    std::vector<const RunField*> shown;
    for (const RunField& field : runFields())
        if (field.naming == Naming::Experiment && differ(runs, field))
            shown.push_back(&field);

    std::vector<std::string> names;
    for (const RunSpec& run : runs) {
        std::string name = widthsText(run.hiddenWidths);
        if (isReduced(run.precision))
            append(name, std::string(precisionName(run.precision)));
        if (hasOwnName(runs, run))
            name = fmt::format("{} ({})", run.name, name);
        else
            for (const RunField* field : shown)
                append(name, textOf(*field, run));
        names.push_back(std::move(name));
    }
    for (const RunField& field : runFields())
        if (field.naming == Naming::Repeat)
            tellApart(runs, names, field);
    numberTheRest(names);
    return names;
}

} // namespace fullbatch
