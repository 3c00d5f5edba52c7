// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/fields/run_fields.h"

#include <limits>
#include <type_traits>
#include <utility>

namespace fullbatch {

/// Collects the fields of a run (see run_fields.h) and fills in what follows from the member that
/// each stands for, which is named by the path to it:
/// `table.add<&RunSpec::optimiser, &Optimiser::momentum>({.key = "momentum", ...})`.
class FieldTable
{
public:
    template <auto... path>
    void add(RunField field)
    {
        using Value = Member<path...>;
        if constexpr (std::is_same_v<Value, bool>) {
            access<bool, path...>(FieldType::Flag, field);
        } else if constexpr (std::is_same_v<Value, double>) {
            access<double, path...>(FieldType::Real, field);
        } else if constexpr (std::is_same_v<Value, std::string>) {
            access<std::string, path...>(FieldType::Text, field);
        } else if constexpr (std::is_integral_v<Value>) {
            access<std::int64_t, path...>(FieldType::Whole, field);
            field.smallestStored = static_cast<std::int64_t>(std::numeric_limits<Value>::min());
            field.largestStored = static_cast<std::uint64_t>(std::numeric_limits<Value>::max());
        } else {
            access<std::vector<std::int64_t>, path...>(FieldType::Widths, field);
            field.smallestStored = std::numeric_limits<std::int64_t>::min();
            field.largestStored = std::numeric_limits<std::int64_t>::max();
        }
        m_fields.push_back(std::move(field));
    }

    /// A member of an enumeration whose values have names.
    template <const auto& names, auto... path>
    void addChoice(RunField field)
    {
        using Value = Member<path...>;
        using Names = std::span<const NamedValue<Value>>;
        field.type = FieldType::Choice;
        field.get = [](const RunSpec& spec) {
            return FieldValue(std::string(nameOf<Value>((spec.*....*path), Names(names))));
        };
        field.set = [](RunSpec& spec, const FieldValue& value) {
            (spec.*....*path) = valueOf<Value>(std::get<std::string>(value), Names(names)).value();
        };
        for (const NamedValue<Value>& each : names)
            field.choices.push_back(each.name);
        m_fields.push_back(std::move(field));
    }

    [[nodiscard]] std::vector<RunField> take() { return std::move(m_fields); }

private:
    template <auto... path>
    using Member = std::remove_cvref_t<decltype((std::declval<RunSpec&>().*....*path))>;

    template <typename Value, auto... path>
    static void access(FieldType type, RunField& field)
    {
        field.type = type;
        field.get = [](const RunSpec& spec) {
            return FieldValue(static_cast<Value>((spec.*....*path)));
        };
        field.set = [](RunSpec& spec, const FieldValue& value) {
            (spec.*....*path) = static_cast<Member<path...>>(std::get<Value>(value));
        };
    }

    std::vector<RunField> m_fields;
};

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr auto farthest = static_cast<double>(std::numeric_limits<std::int64_t>::max());
inline constexpr auto largestSeed = static_cast<double>(std::numeric_limits<std::uint32_t>::max());

// Each adds the fields of its subject, in the order in which people are shown them.
void addDataFields(FieldTable& table);
void addNetworkFields(FieldTable& table);
void addDescentFields(FieldTable& table); ///< optimiser, schedule, batches
void addLengthFields(FieldTable& table); ///< epochs and what ends a run before them
void addEngineFields(FieldTable& table);

} // namespace fullbatch
