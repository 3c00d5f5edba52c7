// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/theme.h"

#include <QApplication>
#include <QFont>
#include <QScreen>
#include <QStyle>
#include <QStyleFactory>

#include <algorithm>

namespace fullbatch {

namespace {

/// What the system gave the program, seen before anything was changed.
const QPalette& systemPalette()
{
    static const QPalette palette = QApplication::palette();
    return palette;
}

/// The smallest text that the window starts with: larger where there is room, for a class room.
double smallestStart(int screenWidth)
{
    if (screenWidth >= 1900)
        return 12;
    return screenWidth >= 1600 ? 11 : 10;
}

double systemTextSize()
{
    static const double size =
        std::max(smallestStart(QGuiApplication::primaryScreen()->availableSize().width()),
                 QApplication::font().pointSizeF());
    return size;
}

QPalette palette(const QColor& window, const QColor& base, const QColor& text, const QColor& quiet,
                 const QColor& highlight)
{
    QPalette result(text, window.lighter(window.lightness() < 128 ? 130 : 100), window.lighter(150),
                    window.darker(160), window.darker(120), text, Qt::white, base, window);
    result.setColor(QPalette::AlternateBase,
                    base.lightness() < 128 ? base.lighter(125) : base.darker(104));
    result.setColor(QPalette::Highlight, highlight);
    result.setColor(QPalette::HighlightedText, Qt::white);
    result.setColor(QPalette::ToolTipBase, base);
    result.setColor(QPalette::ToolTipText, text);
    result.setColor(QPalette::PlaceholderText, quiet);
    result.setColor(QPalette::Link, base.lightness() < 128 ? QColor(0x8ab4f8) : QColor(0x1a56b0));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        result.setColor(QPalette::Disabled, role, quiet);
    return result;
}

} // namespace

void applyTheme(Theme theme)
{
    const QPalette& system = systemPalette();
    if (QApplication::style()->name() != QLatin1String("fusion"))
        QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    switch (theme) {
    case Theme::System:
        QApplication::setPalette(system);
        break;
    case Theme::Light:
        QApplication::setPalette(palette(QColor(0xf3f3f3), Qt::white, QColor(0x161616),
                                         QColor(0x666666), QColor(0x1f5fa8)));
        break;
    case Theme::Dark:
        QApplication::setPalette(palette(QColor(0x26282b), QColor(0x1b1d1f), QColor(0xececec),
                                         QColor(0xa0a0a0), QColor(0x2f6fb8)));
        break;
    }
}

void applyTextSize(int steps)
{
    QFont font = QApplication::font();
    font.setPointSizeF(systemTextSize() + std::clamp(steps, smallestTextSize, largestTextSize));
    QApplication::setFont(font);
}

bool isDark(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < 128;
}

QPalette problemPalette(QPalette palette)
{
    const QColor red = isDark(palette) ? QColor(0xff8a80) : QColor(0xb00020);
    for (const auto group : {QPalette::Active, QPalette::Inactive, QPalette::Disabled})
        palette.setColor(group, QPalette::WindowText, red);
    return palette;
}

} // namespace fullbatch
