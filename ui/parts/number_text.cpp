// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/number_text.h"

#include <QRegularExpression>

#include <charconv>
#include <cmath>
#include <limits>

namespace fullbatch {

namespace {

QString plain(const QString& text)
{
    QString result = text.trimmed();
    result.replace(QChar(0x2212), QLatin1Char('-')); // the minus sign of typesetting
    if (result.startsWith(QLatin1Char('+')))
        result.remove(0, 1);
    return result;
}

/// `text` without marks between groups of three digits; unchanged when they stand elsewhere.
QString withoutGroups(const QString& text, const QLocale& locale)
{
    static const QString blanks = QStringLiteral(" \u00a0\u202f\u2009_'");
    QString marks = blanks + locale.groupSeparator();
    if (locale.decimalPoint() != QLatin1String(","))
        marks += QLatin1Char(',');
    for (const QChar mark : marks) {
        const QString pattern = QStringLiteral("^-?\\d{1,3}(?:%1\\d{3})+$")
                                    .arg(QRegularExpression::escape(QString(mark)));
        if (QRegularExpression(pattern).match(text).hasMatch())
            return QString(text).remove(mark);
    }
    return text;
}

} // namespace

std::optional<double> realFromText(const QString& text, const QLocale& locale)
{
    QString digits = plain(text);
    if (const QString mark = locale.decimalPoint(); mark != QLatin1String("."))
        if (!digits.contains(QLatin1Char('.')))
            digits.replace(mark, QLatin1String("."));
    const QByteArray bytes = digits.toUtf8();
    const char* const end = bytes.constData() + bytes.size();
    double value = 0;
    const auto [rest, error] = std::from_chars(bytes.constData(), end, value);
    if (rest != end || error == std::errc::invalid_argument)
        return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        const bool tiny = digits.contains(QRegularExpression(QStringLiteral("[eE]-")))
            || digits.contains(QRegularExpression(QStringLiteral("^-?0*\\.")));
        const double magnitude = tiny ? 0.0 : std::numeric_limits<double>::infinity();
        return digits.startsWith(QLatin1Char('-')) ? -magnitude : magnitude;
    }
    return value;
}

std::optional<std::int64_t> wholeFromText(const QString& text, const QLocale& locale)
{
    const QString digits = withoutGroups(plain(text), locale);
    static const QRegularExpression wholeNumber(QStringLiteral("^-?\\d+(?:[eE]\\+?\\d+)?$"));
    if (!wholeNumber.match(digits).hasMatch())
        return std::nullopt;
    const QByteArray bytes = digits.toLatin1();
    std::int64_t value = 0;
    const char* const end = bytes.constData() + bytes.size();
    const auto [rest, error] = std::from_chars(bytes.constData(), end, value);
    if (error == std::errc() && rest == end)
        return value;
    using Limits = std::numeric_limits<std::int64_t>;
    const double rounded = realFromText(digits, QLocale::c()).value_or(0); // an exponent, or huge
    if (std::fabs(rounded) >= 0x1p63)
        return rounded < 0 ? Limits::min() : Limits::max();
    return static_cast<std::int64_t>(rounded);
}

QString realText(double value, const QLocale& locale)
{
    QLocale plainLocale(locale);
    plainLocale.setNumberOptions(QLocale::OmitGroupSeparator | QLocale::OmitLeadingZeroInExponent);
    return plainLocale.toString(value, 'g', QLocale::FloatingPointShortest);
}

QString wholeText(std::int64_t value, const QLocale& locale)
{
    return locale.toString(static_cast<qlonglong>(value));
}

} // namespace fullbatch
