// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLocale>
#include <QString>

#include <vector>

namespace fullbatch {

/// A stretch of an axis, in the axis's own units (see ValueScale).
struct AxisRange
{
    double from = 0;
    double to = 1;

    [[nodiscard]] double length() const { return to - from; }
    friend bool operator==(const AxisRange&, const AxisRange&) = default;
};

struct AxisTick
{
    double position = 0; ///< in the axis's own units
    QString label; ///< no two ticks of an axis share one
};

/// How values lie on the y axis. The axis's units are the values themselves, or their decimal
/// logarithms; a zero, which has no logarithm, then lies on a line of its own below all others.
struct ValueScale
{
    bool logarithmic = false;
    double zeroLine = 0; ///< where values <= 0 lie on a logarithmic scale

    [[nodiscard]] double position(double value) const;
    [[nodiscard]] double value(double position) const; ///< the inverse
};

/// The smallest of 1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8 times a power of ten that is at least
/// `value`, which must be positive. So a growing axis moves in steps of at most a third.
[[nodiscard]] double roundedUp(double value);

/// The locale that numbers on charts are written in: QLocale's default with thousands separators.
[[nodiscard]] QLocale chartLocale();

/// Round positions within `range`, at most `count` of them, with labels.
[[nodiscard]] std::vector<AxisTick> linearTicks(AxisRange range, int count);
/// The same at whole numbers only.
[[nodiscard]] std::vector<AxisTick> epochTicks(AxisRange range, int count);
/// For a logarithmic scale: powers of ten, or 1, 2 and 5 times powers of ten where those are few,
/// or round values where even these are. `zeroLine` gets the label 0 when it lies in the range.
[[nodiscard]] std::vector<AxisTick> logarithmicTicks(AxisRange range, double zeroLine, int count);

} // namespace fullbatch
