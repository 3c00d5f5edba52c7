// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/axis_ticks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fullbatch {
namespace {

constexpr double slack = 1e-9; // of a step: for positions that rounding moved across an end

double roundStep(double length, int count)
{
    const double rough = length / std::max(1, count - 1);
    const double power = std::pow(10, std::floor(std::log10(rough)));
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * (1 - slack))
            return factor * power;
    return 10 * power;
}

std::vector<double> positions(AxisRange range, double step)
{
    std::vector<double> result;
    const auto first = static_cast<qint64>(std::ceil(range.from / step - slack));
    const auto last = static_cast<qint64>(std::floor(range.to / step + slack));
    for (qint64 index = first; index <= last; ++index)
        result.push_back(static_cast<double>(index) * step);
    return result;
}

int decimalsOf(double step)
{
    return std::max(0, -static_cast<int>(std::floor(std::log10(step))));
}

QString superscript(int number)
{
    static const QString digits = QStringLiteral("⁰¹²³⁴⁵⁶⁷⁸⁹");
    QString result = number < 0 ? QStringLiteral("⁻") : QString();
    for (const QChar digit : QString::number(std::abs(number)))
        result += digits.at(digit.digitValue());
    return result;
}

// 1, 2 and 5 times a power of ten.
QString decadeLabel(int factor, int exponent)
{
    constexpr int plainExponents = 4;
    if (std::abs(exponent) <= plainExponents)
        return chartLocale().toString(factor * std::pow(10, exponent), 'f', std::max(0, -exponent));
    const QString power = QStringLiteral("10") + superscript(exponent);
    return factor == 1 ? power : QStringLiteral("%1·%2").arg(factor).arg(power);
}

std::vector<AxisTick> decadeTicks(AxisRange range, std::initializer_list<int> factors, int stride)
{
    std::vector<AxisTick> ticks;
    const int first = static_cast<int>(std::floor(range.from));
    for (int exponent = first; exponent <= range.to; ++exponent)
        for (const int factor : factors) {
            const double position = exponent + std::log10(factor);
            const bool inside = position >= range.from - slack && position <= range.to + slack;
            if (inside && exponent % stride == 0)
                ticks.push_back({position, decadeLabel(factor, exponent)});
        }
    return ticks;
}

std::vector<AxisTick> withinDecade(AxisRange range, int count)
{
    std::vector<AxisTick> ticks =
        linearTicks({std::pow(10, range.from), std::pow(10, range.to)}, count);
    for (AxisTick& tick : ticks)
        tick.position = std::log10(tick.position);
    return ticks;
}

} // namespace

double ValueScale::position(double value) const
{
    if (!logarithmic)
        return value;
    return value > 0 ? std::log10(value) : zeroLine;
}

double ValueScale::value(double position) const
{
    if (!logarithmic)
        return position;
    return position > zeroLine ? std::pow(10, position) : 0;
}

double roundedUp(double value)
{
    const double power = std::pow(10, std::floor(std::log10(value)));
    for (const double factor : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0})
        if (factor * power >= value * (1 - slack))
            return factor * power;
    return 10 * power;
}

QLocale chartLocale()
{
    QLocale locale;
    if (locale.language() == QLocale::C)
        locale = QLocale(QLocale::English, QLocale::UnitedStates); // C has no separators
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    return locale;
}

std::vector<AxisTick> linearTicks(AxisRange range, int count)
{
    if (!(range.length() > 0) || !std::isfinite(range.length()))
        return {};
    const double step = roundStep(range.length(), count);
    const double largest = std::max(std::abs(range.from), std::abs(range.to));
    const bool plain = step >= 1e-5 && largest < 1e7;
    const int digits = static_cast<int>(std::ceil(std::log10(largest / step))) + 1;
    const QLocale locale = chartLocale();
    std::vector<AxisTick> ticks;
    for (const double position : positions(range, step))
        ticks.push_back({position,
                         plain || position == 0
                             ? locale.toString(position, 'f', plain ? decimalsOf(step) : 0)
                             : locale.toString(position, 'g', digits)});
    return ticks;
}

std::vector<AxisTick> epochTicks(AxisRange range, int count)
{
    if (!(range.length() > 0))
        return {};
    const double step = std::max(1.0, roundStep(range.length(), count));
    const QLocale locale = chartLocale();
    std::vector<AxisTick> ticks;
    for (const double position : positions(range, step))
        ticks.push_back({position, locale.toString(static_cast<qint64>(std::llround(position)))});
    return ticks;
}

std::vector<AxisTick> logarithmicTicks(AxisRange range, double zeroLine, int count)
{
    if (!(range.length() > 0) || !std::isfinite(range.length()))
        return {};
    AxisRange above = range;
    std::vector<AxisTick> ticks;
    if (zeroLine >= range.from && zeroLine <= range.to) {
        ticks.push_back({zeroLine, QStringLiteral("0")});
        above.from = std::min(range.to, zeroLine + 0.05 * range.length());
    }
    std::vector<AxisTick> rest;
    if (above.length() > 2.2 || 3 * above.length() > count) {
        const int stride = std::max(1, static_cast<int>(std::ceil(above.length() / count)));
        rest = decadeTicks(above, {1}, stride);
    } else {
        rest = decadeTicks(above, {1, 2, 5}, 1);
    }
    if (rest.size() < 3 && above.length() < 1)
        rest = withinDecade(above, count);
    ticks.insert(ticks.end(), rest.begin(), rest.end());
    return ticks;
}

} // namespace fullbatch
