// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

#include <cstdint>
#include <optional>

namespace fullbatch {

/// A number as people type it: with a decimal point or the locale's own mark, with an exponent or
/// without, blanks around it: 0.0025, 2.5e-3, 2.5E-3, 1e-05, in German also 0,0025. Exactly the
/// double that the digits name; "nan" and "inf" are read as such and 1e999 as infinity, for the
/// range check to refuse. No groups of thousands, so that "1.500" is one and a half everywhere.
/// Nothing when the text is no number.
[[nodiscard]] std::optional<double> realFromText(const QString& text, const QLocale& locale);

/// A whole number: 200000, 200,000 (or with the locale's own group mark, or blanks), 2e5. Numbers
/// beyond 64 bits saturate. Nothing when the text is no whole number.
[[nodiscard]] std::optional<std::int64_t> wholeFromText(const QString& text, const QLocale& locale);

/// The shortest text that reads back as exactly this number, with the locale's decimal mark.
[[nodiscard]] QString realText(double value, const QLocale& locale);

/// With the locale's groups of thousands.
[[nodiscard]] QString wholeText(std::int64_t value, const QLocale& locale);

} // namespace fullbatch
