// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QPalette>

namespace fullbatch {

enum class ActionIcon { Start, Pause, Resume, Step, Stop };

/// Drawn for the palette, so that it is seen on light and dark toolbars, enabled or not.
[[nodiscard]] QIcon actionIcon(ActionIcon icon, const QPalette& palette);

} // namespace fullbatch
