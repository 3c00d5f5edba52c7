// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/widths_text.h"

#include "ui/parts/number_text.h"

#include <QRegularExpression>
#include <QStringList>

namespace fullbatch {

std::optional<std::vector<std::int64_t>> widthsFromText(const QString& text)
{
    const QString trimmed = text.trimmed();
    std::vector<std::int64_t> widths;
    if (trimmed.isEmpty() || trimmed.compare(QLatin1String("none"), Qt::CaseInsensitive) == 0)
        return widths;
    static const QRegularExpression separator(QStringLiteral("\\s*[-,;/\uff0c\u3001]\\s*"));
    static const QRegularExpression part(QStringLiteral("^(?:(\\d+)\\s*[x*\u00d7]\\s*)?(\\d+)$"),
                                         QRegularExpression::CaseInsensitiveOption);
    static const QRegularExpression onlyBlanks(QStringLiteral("^\\d+(?:\\s+\\d+)+$"));
    const bool blanksSeparate = onlyBlanks.match(trimmed).hasMatch();
    const QStringList parts = blanksSeparate
        ? trimmed.split(QRegularExpression(QStringLiteral("\\s+")))
        : trimmed.split(separator);
    for (const QString& each : parts) {
        const QRegularExpressionMatch match = part.match(each);
        if (!match.hasMatch())
            return std::nullopt;
        const auto width = wholeFromText(match.captured(2), QLocale::c());
        const auto repeats = match.capturedLength(1) > 0
            ? wholeFromText(match.captured(1), QLocale::c())
            : std::optional<std::int64_t>(1);
        if (!width || !repeats
            || *repeats > mostHiddenLayers - static_cast<std::int64_t>(widths.size()))
            return std::nullopt;
        widths.insert(widths.end(), static_cast<std::size_t>(*repeats), *width);
    }
    return widths;
}

std::vector<std::int64_t> withDepth(std::vector<std::int64_t> widths, std::int64_t depth)
{
    const std::int64_t last = widths.empty() ? 1 : widths.back();
    widths.resize(static_cast<std::size_t>(depth), last);
    return widths;
}

} // namespace fullbatch
