// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace fullbatch {

/// What a value of an enumeration is called where it is typed and stored. A list of them is the one
/// place that knows which values there are.
template <typename Value>
struct NamedValue
{
    Value value;
    std::string_view name;
};

/// Empty for a value that is not in the list.
template <typename Value>
[[nodiscard]] constexpr std::string_view nameOf(Value value,
                                                std::span<const NamedValue<Value>> list)
{
    for (const NamedValue<Value>& each : list)
        if (each.value == value)
            return each.name;
    return {};
}

template <typename Value>
[[nodiscard]] constexpr std::optional<Value> valueOf(std::string_view name,
                                                     std::span<const NamedValue<Value>> list)
{
    for (const NamedValue<Value>& each : list)
        if (each.name == name)
            return each.value;
    return std::nullopt;
}

/// "fp32, tf32, bf16", for messages.
template <typename Value>
[[nodiscard]] std::string namesText(std::span<const NamedValue<Value>> list)
{
    std::string text;
    for (const NamedValue<Value>& each : list)
        text.append(text.empty() ? "" : ", ").append(each.name);
    return text;
}

} // namespace fullbatch
