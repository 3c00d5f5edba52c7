// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/curve_shape.h"

#include "core/curves/pixel_columns.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fullbatch {
namespace {

// Liang and Barsky's clipping of a segment to a rectangle; false when nothing of it is inside.
bool clip(const QRectF& area, QPointF& from, QPointF& to)
{
    double enter = 0;
    double leave = 1;
    const QPointF delta = to - from;
    const std::array<double, 4> speeds = {-delta.x(), delta.x(), -delta.y(), delta.y()};
    const std::array<double, 4> distances = {from.x() - area.left(), area.right() - from.x(),
                                             from.y() - area.top(), area.bottom() - from.y()};
    for (std::size_t side = 0; side < 4; ++side) {
        if (speeds[side] == 0) {
            if (distances[side] < 0)
                return false;
            continue;
        }
        const double when = distances[side] / speeds[side];
        if (speeds[side] < 0)
            enter = std::max(enter, when);
        else
            leave = std::min(leave, when);
    }
    if (enter > leave)
        return false;
    to = from + leave * delta;
    from += enter * delta;
    return true;
}

// Puts a curve together from left to right.
class ShapeBuilder
{
public:
    explicit ShapeBuilder(const PlotFrame& frame)
        : m_area(frame.area),
          m_pixel(1 / frame.pixelsPerUnit)
    {
    }

    void point(const QPointF& place)
    {
        if (m_started && steep(place - m_last)) {
            span(place.x(), place.y(), place.y(), place.y());
            return;
        }
        if (m_started)
            segment(m_last, place);
        m_last = place;
        m_started = true;
        ++m_run;
    }

    // A column of values from `low` to `high` that the curve leaves at `last`.
    void span(double x, double low, double high, double last)
    {
        if (m_started) {
            // Down or up to where the curve comes from, so that no jump tears it.
            low = std::max(low, m_last.y());
            high = std::min(high, m_last.y());
        }
        QPointF from(x, low);
        QPointF to(x, high);
        if (clip(m_area, from, to))
            m_shape.spans.emplace_back(from, to);
        endLine();
        m_last = {x, last};
        m_started = true;
        m_run += 2;
    }

    void gap()
    {
        if (m_run == 1 && m_area.contains(m_last))
            m_shape.dots.push_back(m_last);
        endLine();
        m_started = false;
        m_run = 0;
    }

    CurveShape finish()
    {
        gap();
        return std::move(m_shape);
    }

private:
    // Hardly to be told from upright, which is cheaper to draw by far.
    [[nodiscard]] bool steep(const QPointF& step) const
    {
        return step.x() < 3 * m_pixel && std::abs(step.y()) > 12 * m_pixel;
    }

    void segment(QPointF from, QPointF to)
    {
        const QPointF end = to;
        if (!clip(m_area, from, to)) {
            endLine();
            return;
        }
        if (m_line.isEmpty())
            m_line.push_back(from);
        appendStraightened(to);
        if (to != end) {
            endLine();
        } else if (m_line.size() == mostPoints) {
            endLine();
            m_line.push_back(end);
        }
    }

    // A point on the way between its neighbours says nothing: flat stretches stay short.
    void appendStraightened(const QPointF& place)
    {
        constexpr double invisible = 0.02;
        const auto count = m_line.size();
        if (count >= 2) {
            const QPointF before = m_line[count - 2];
            const QPointF middle = m_line[count - 1];
            const double share = (middle.x() - before.x()) / (place.x() - before.x());
            const double y = before.y() + share * (place.y() - before.y());
            if (place.x() > middle.x() && std::abs(y - middle.y()) < invisible
                && std::abs(place.x() - before.x()) < longestStraight) {
                m_line.back() = place;
                return;
            }
        }
        m_line.push_back(place);
    }

    void endLine()
    {
        if (m_line.size() >= 2)
            m_shape.lines.push_back(m_line);
        m_line.clear();
    }

    // The raster engine's cost of a line grows faster than its length.
    static constexpr qsizetype mostPoints = 64;
    static constexpr double longestStraight = 64; // so that dropped points cannot add up to a bend

    QRectF m_area;
    double m_pixel; // a device pixel in units of the area
    CurveShape m_shape;
    QPolygonF m_line;
    QPointF m_last;
    bool m_started = false;
    int m_run = 0; // points since the last gap
};

std::size_t columnsOf(const PlotFrame& frame)
{
    const double columns = std::ceil(frame.area.width() * frame.pixelsPerUnit);
    return static_cast<std::size_t>(std::clamp(columns, 1.0, 16384.0));
}

// Epochs far enough apart to be told from each other: every one is a point of its own.
CurveShape tracePoints(const PlotFrame& frame, const MinMaxPyramid& series)
{
    ShapeBuilder builder(frame);
    const auto size = static_cast<double>(series.size());
    const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(frame.epochs.from)));
    const auto end =
        static_cast<std::size_t>(std::clamp(std::ceil(frame.epochs.to) + 1, 0.0, size));
    for (std::size_t epoch = first; epoch < end; ++epoch) {
        const float value = series[epoch];
        if (std::isfinite(value))
            builder.point({frame.x(static_cast<double>(epoch)), frame.y(value)});
        else
            builder.gap();
    }
    return builder.finish();
}

// Values first .. last of a column in their order, with all others between minimum and maximum.
struct ColumnValues
{
    float first;
    float last;
    float minimum;
    float maximum;
};

void addColumn(ShapeBuilder& builder, const PlotFrame& frame, double x, double width,
               const ColumnValues& values)
{
    const double low = frame.y(values.minimum);
    const double high = frame.y(values.maximum);
    const double from = frame.y(values.first);
    const double to = frame.y(values.last);
    const double pixel = 1 / frame.pixelsPerUnit;
    if (low - high <= pixel) {
        builder.point({x, (low + high) / 2});
    } else if (low - high - std::abs(to - from) <= pixel) {
        // One way from end to end: a slope, no noise.
        builder.point({x - width / 2, from});
        builder.point({x + width / 2, to});
    } else {
        builder.span(x, low, high, to);
    }
}

} // namespace

CurveShape traceTraining(const PlotFrame& frame, const MinMaxPyramid& series)
{
    const std::size_t columns = columnsOf(frame);
    if (frame.epochs.length() <= 2 * static_cast<double>(columns))
        return tracePoints(frame, series);
    ShapeBuilder builder(frame);
    const double width = frame.area.width() / static_cast<double>(columns);
    double x = frame.area.left() + width / 2;
    for (const PixelColumn& column :
         pixelColumns(series, frame.epochs.from, frame.epochs.to, columns)) {
        if (column.range.finite > 0)
            addColumn(builder, frame, x, width,
                      {column.first, column.last, column.range.minimum, column.range.maximum});
        else
            builder.gap();
        x += width;
    }
    return builder.finish();
}

CurveShape traceTest(const PlotFrame& frame, const RunCurve::TestCurve& test)
{
    const std::size_t columns = columnsOf(frame);
    const double width = frame.area.width() / static_cast<double>(columns);
    const auto firstFrom = [&test](double epoch, auto begin) {
        const auto bound = static_cast<std::uint64_t>(std::max(0.0, std::ceil(epoch)));
        return std::lower_bound(begin, test.epochs.end(), bound);
    };
    const auto begin = test.epochs.begin();
    auto from = firstFrom(frame.epochs.from, begin);
    ShapeBuilder builder(frame);
    const auto single = [&](auto entry) {
        const auto index = static_cast<std::size_t>(entry - begin);
        if (std::isfinite(test.values[index]))
            builder.point({frame.x(static_cast<double>(*entry)), frame.y(test.values[index])});
        else
            builder.gap();
    };
    if (from != begin)
        single(from - 1); // the line that comes in from the left
    for (std::size_t column = 0; column < columns; ++column) {
        const double right = frame.area.left() + width * static_cast<double>(column + 1);
        const auto to = firstFrom(frame.epochAt(right), from);
        if (to - from == 1) {
            single(from);
        } else if (to != from) {
            const auto first = static_cast<std::size_t>(from - begin);
            const auto end = static_cast<std::size_t>(to - begin);
            const ValueRange range = test.values.range(first, end);
            if (range.finite > 0)
                addColumn(builder, frame, right - width / 2, width,
                          {test.values[test.values.firstFinite(first, end)],
                           test.values[test.values.lastFinite(first, end)], range.minimum,
                           range.maximum});
            else
                builder.gap();
        }
        from = to;
    }
    if (from != test.epochs.end())
        single(from); // the line that leaves to the right
    return builder.finish();
}

} // namespace fullbatch
