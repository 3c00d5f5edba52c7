// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/precision_names.h"

#include <array>
#include <utility>

namespace fullbatch {

namespace {

using NamedPrecision = std::pair<Precision, std::string_view>;

constexpr std::array<NamedPrecision, 5> namedPrecisions{
    NamedPrecision{Precision::Fp32, "fp32"}, NamedPrecision{Precision::Tf32, "tf32"},
    NamedPrecision{Precision::Bf16, "bf16"}, NamedPrecision{Precision::Fp16, "fp16"},
    NamedPrecision{Precision::Fp64, "fp64"}};

} // namespace

std::string_view precisionName(Precision precision)
{
    for (const auto& [value, name] : namedPrecisions)
        if (value == precision)
            return name;
    return {};
}

std::optional<Precision> precisionFromName(std::string_view name)
{
    for (const auto& [value, known] : namedPrecisions)
        if (known == name)
            return value;
    return std::nullopt;
}

std::string precisionNames()
{
    std::string text;
    for (const auto& [value, name] : namedPrecisions) {
        if (!text.empty())
            text += ", ";
        text += name;
    }
    return text;
}

} // namespace fullbatch
