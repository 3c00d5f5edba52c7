// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/action_icons.h"

#include "ui/parts/theme.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace fullbatch {

namespace {

// Shapes on a square of 24 units.

QPainterPath triangle(double left, double right)
{
    QPainterPath path;
    path.moveTo(left, 4);
    path.lineTo(right, 12);
    path.lineTo(left, 20);
    path.closeSubpath();
    return path;
}

QPainterPath bar(double left)
{
    QPainterPath path;
    path.addRoundedRect(left, 4, 4, 16, 1, 1);
    return path;
}

QPainterPath shape(ActionIcon icon)
{
    QPainterPath path;
    switch (icon) {
    case ActionIcon::Start:
        return triangle(6, 20);
    case ActionIcon::Pause:
        path = bar(6);
        path.addPath(bar(14));
        return path;
    case ActionIcon::Resume:
        path = bar(3);
        path.addPath(triangle(10, 22));
        return path;
    case ActionIcon::Step:
        path = triangle(4, 15);
        path.addPath(bar(17));
        return path;
    case ActionIcon::Stop:
        path.addRoundedRect(5, 5, 14, 14, 2, 2);
        return path;
    }
    return path;
}

QColor colour(ActionIcon icon, bool dark)
{
    switch (icon) {
    case ActionIcon::Start:
    case ActionIcon::Resume:
        return dark ? QColor(0x6fcf7f) : QColor(0x1b7a32);
    case ActionIcon::Stop:
        return dark ? QColor(0xff8a80) : QColor(0xb00020);
    case ActionIcon::Pause:
    case ActionIcon::Step:
        break;
    }
    return dark ? QColor(0x8ab4f8) : QColor(0x1f5fa8);
}

QPixmap drawn(ActionIcon icon, const QColor& colour)
{
    constexpr int pixels = 48; // twice the size it is shown at, for dense screens
    QPixmap pixmap(pixels, pixels);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.scale(pixels / 24.0, pixels / 24.0);
    painter.fillPath(shape(icon), colour);
    return pixmap;
}

} // namespace

QIcon actionIcon(ActionIcon icon, const QPalette& palette)
{
    QIcon result(drawn(icon, colour(icon, isDark(palette))));
    result.addPixmap(drawn(icon, palette.color(QPalette::Disabled, QPalette::ButtonText)),
                     QIcon::Disabled);
    return result;
}

} // namespace fullbatch
