// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDateTime>
#include <QLocale>
#include <QString>

namespace fullbatch {

/// "0.4 s", "42 s", "14 min 05 s", "3 h 07 min", "2 d 05 h"; a dash when not finite.
[[nodiscard]] QString durationText(double seconds, const QLocale& locale);

/// The same without what an estimate cannot know: "42 s", "14 min", "3 h 07 min".
[[nodiscard]] QString roughDurationText(double seconds, const QLocale& locale);

/// "12 MiB", "3.4 GiB".
[[nodiscard]] QString memoryText(double bytes, const QLocale& locale);

/// "14:05", and the day before it when that is not today's: "Wed 14:05", "12 Jan 14:05".
[[nodiscard]] QString clockText(const QDateTime& time, const QDateTime& now, const QLocale& locale);

/// Three significant digits without an exponent: "0.523", "8.13", "812", "12,345".
[[nodiscard]] QString speedText(double perSecond, const QLocale& locale);

} // namespace fullbatch
