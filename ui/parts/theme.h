// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPalette>

class QColor;

namespace fullbatch {

enum class Theme { System, Light, Dark };

/// Gives the application the palette of the theme and Qt's own widget style, which draws every part
/// from the palette. System keeps the palette the program was started with.
void applyTheme(Theme theme);

/// Makes all texts of the application `steps` steps larger than the system's, which on a wide
/// screen are taken to be 12 points at least (smaller when negative).
void applyTextSize(int steps);
inline constexpr int smallestTextSize = -2;
inline constexpr int largestTextSize = 12;

[[nodiscard]] bool isDark(const QPalette& palette);

/// `palette` with texts in a red that is legible on its background.
[[nodiscard]] QPalette problemPalette(QPalette palette);

} // namespace fullbatch
