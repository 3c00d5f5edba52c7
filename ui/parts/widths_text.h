// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace fullbatch {

/// A network of more hidden layers is refused: its layers could not be listed in reasonable time.
inline constexpr std::int64_t mostHiddenLayers = 100'000;

/// Hidden widths as people write them: "63, 63, 63", "63-31", "4 x 63", "2 x 100, 50", and "none"
/// or nothing for no hidden layer. Numbers may be 0 or too large; the range is for problems() to
/// judge. Nothing when the text is none of that, or names more than mostHiddenLayers layers.
[[nodiscard]] std::optional<std::vector<std::int64_t>> widthsFromText(const QString& text);

/// `widths` with another number of layers: the last width is repeated, or layers are left out.
[[nodiscard]] std::vector<std::int64_t> withDepth(std::vector<std::int64_t> widths,
                                                  std::int64_t depth);

} // namespace fullbatch
