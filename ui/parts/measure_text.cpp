// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/measure_text.h"

#include <QCoreApplication>

#include <array>
#include <cmath>
#include <cstdint>

namespace fullbatch {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("MeasureText", text);
}

QString twoDigits(std::int64_t number)
{
    return QStringLiteral("%1").arg(number, 2, 10, QLatin1Char('0'));
}

} // namespace

QString durationText(double seconds, const QLocale& locale)
{
    constexpr double longest = 1e13; // 300,000 years
    if (!(seconds >= 0 && seconds < longest))
        return tr("–");
    if (seconds < 9.95)
        return tr("%1 s").arg(locale.toString(seconds, 'f', 1));
    const auto whole = static_cast<std::int64_t>(std::llround(seconds));
    constexpr std::int64_t minute = 60;
    constexpr std::int64_t hour = 60 * minute;
    constexpr std::int64_t day = 24 * hour;
    if (whole < minute)
        return tr("%1 s").arg(whole);
    if (whole < hour)
        return tr("%1 min %2 s").arg(whole / minute).arg(twoDigits(whole % minute));
    if (whole < day)
        return tr("%1 h %2 min").arg(whole / hour).arg(twoDigits(whole % hour / minute));
    return tr("%1 d %2 h")
        .arg(locale.toString(static_cast<qlonglong>(whole / day)), twoDigits(whole % day / hour));
}

QString roughDurationText(double seconds, const QLocale& locale)
{
    constexpr double minute = 60;
    constexpr double hour = 60 * minute;
    if (seconds >= minute && seconds < hour)
        return tr("%1 min").arg(std::lround(seconds / minute));
    return durationText(seconds, locale);
}

QString memoryText(double bytes, const QLocale& locale)
{
    constexpr double unit = 1024;
    static constexpr std::array<const char*, 5> names = {"%1 KiB", "%1 MiB", "%1 GiB", "%1 TiB",
                                                         "%1 PiB"};
    double value = bytes / unit;
    std::size_t index = 0;
    while (value >= unit && index + 1 < names.size()) {
        value /= unit;
        ++index;
    }
    return tr(names[index]).arg(locale.toString(value, 'f', value < 10 ? 1 : 0));
}

QString clockText(const QDateTime& time, const QDateTime& now, const QLocale& locale)
{
    if (!time.isValid())
        return tr("–");
    const QString clock = locale.toString(time.time(), QStringLiteral("HH:mm"));
    const qint64 days = now.daysTo(time);
    if (days == 0)
        return clock;
    if (days > 0 && days < 7)
        return locale.toString(time.date(), QStringLiteral("ddd ")) + clock;
    const bool thisYear = time.date().year() == now.date().year();
    return locale.toString(time.date(),
                           thisYear ? QStringLiteral("d MMM ") : QStringLiteral("d MMM yyyy "))
        + clock;
}

QString speedText(double perSecond, const QLocale& locale)
{
    if (!(perSecond > 0) || !std::isfinite(perSecond))
        return tr("–");
    const int digits = perSecond < 1 ? 3 : perSecond < 10 ? 2 : perSecond < 100 ? 1 : 0;
    return locale.toString(perSecond, 'f', digits);
}

} // namespace fullbatch
