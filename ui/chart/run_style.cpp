// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/run_style.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fullbatch {
namespace {

struct ColourPair
{
    QRgb onLight;
    QRgb onDark;
};

// Dark and light ones alternate, for grey prints.
constexpr std::array<ColourPair, 12> colours = {{
    {0xff1746b0, 0xff5c97ff}, // blue
    {0xffdb5f00, 0xffffb648}, // orange
    {0xff00572b, 0xff2fae60}, // green
    {0xffdb4aa6, 0xffffa6dc}, // pink
    {0xff1c1c1c, 0xffffffff}, // black, white
    {0xff0094ad, 0xff27b9cf}, // teal
    {0xff8a1414, 0xfff0524f}, // red
    {0xff3f9a0c, 0xffa6e22e}, // leaf green
    {0xff5a2aa0, 0xffa274ff}, // purple
    {0xffa07800, 0xfff5d90a}, // ochre, yellow
    {0xff5c3a1e, 0xffb8784e}, // brown
    {0xff7c7c7c, 0xffbdbdbd}, // grey
}};

const std::array<QList<qreal>, 4>& dashPatterns()
{
    static const std::array<QList<qreal>, 4> patterns = {
        {{}, {6, 3}, {9, 3, 2, 3}, {9, 3, 2, 3, 2, 3}}};
    return patterns;
}

double linearLight(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& colour)
{
    return 0.2126 * linearLight(colour.redF()) + 0.7152 * linearLight(colour.greenF())
        + 0.0722 * linearLight(colour.blueF());
}

QColor mixed(const QColor& first, const QColor& second, double share)
{
    const auto channel = [share](float a, float b) {
        return static_cast<float>(a * (1 - share) + b * share);
    };
    return QColor::fromRgbF(channel(first.redF(), second.redF()),
                            channel(first.greenF(), second.greenF()),
                            channel(first.blueF(), second.blueF()));
}

ChartColours themed(const QColor& background, const QColor& wishedText)
{
    ChartColours theme;
    theme.dark = luminance(background) < 0.18;
    theme.background = background;
    theme.text = wishedText;
    if (contrastRatio(background, wishedText) < 7)
        theme.text = theme.dark ? Qt::white : Qt::black;
    theme.grid = mixed(background, theme.text, 0.16);
    theme.axis = mixed(background, theme.text, 0.6);
    theme.readout = mixed(background, theme.text, 0.07);
    return theme;
}

} // namespace

QPen RunStyle::pen(bool dark, qreal width) const
{
    QPen pen(colour(dark), width);
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::BevelJoin);
    if (!dashes.empty())
        pen.setDashPattern(dashes);
    return pen;
}

RunStyle runStyle(int index)
{
    const auto count = static_cast<int>(colours.size());
    const auto patterns = static_cast<int>(dashPatterns().size());
    const int colour = index % count;
    // The first half of the colours starts solid and the second half dashed.
    const int pattern = (index / count + colour / (count / 2)) % patterns;
    const ColourPair& pair = colours[static_cast<std::size_t>(colour)];
    return {QColor::fromRgb(pair.onLight), QColor::fromRgb(pair.onDark),
            dashPatterns()[static_cast<std::size_t>(pattern)]};
}

ChartColours ChartColours::of(const QPalette& palette)
{
    return themed(palette.color(QPalette::Active, QPalette::Base),
                  palette.color(QPalette::Active, QPalette::Text));
}

ChartColours ChartColours::paper()
{
    return themed(Qt::white, QColor(0x14, 0x14, 0x14));
}

double contrastRatio(const QColor& first, const QColor& second)
{
    const double one = luminance(first);
    const double other = luminance(second);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

} // namespace fullbatch
