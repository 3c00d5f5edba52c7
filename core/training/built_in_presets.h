// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace fullbatch {

/// A file of resources/presets, compiled in.
struct BuiltInPreset
{
    std::string_view id; ///< the file's name without ending
    std::string_view json;
};

[[nodiscard]] std::span<const BuiltInPreset> builtInPresetTexts();

} // namespace fullbatch
