// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/span_painter.h"

#include <QPaintEngine>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

namespace fullbatch {
namespace {

// What of `spans` lies in the rows top .. bottom-1.
void merge(std::span<const PixelSpan> spans, int top, int bottom, QList<QRect>& result)
{
    int commonTop = top;
    int commonBottom = bottom;
    int highest = bottom;
    int lowest = top;
    for (const PixelSpan& span : spans) {
        commonTop = std::max(commonTop, span.top);
        commonBottom = std::min(commonBottom, span.bottom);
        highest = std::min(highest, std::max(top, span.top));
        lowest = std::max(lowest, std::min(bottom, span.bottom));
    }
    if (highest >= lowest)
        return;
    const bool common = commonTop < commonBottom;
    if (common)
        result.emplace_back(spans.front().column, commonTop, static_cast<int>(spans.size()),
                            commonBottom - commonTop);
    if (spans.size() == 1)
        return;
    const std::size_t half = spans.size() / 2;
    for (const auto part : {spans.first(half), spans.subspan(half)}) {
        if (!common) {
            merge(part, top, bottom, result);
            continue;
        }
        merge(part, highest, commonTop, result);
        merge(part, commonBottom, lowest, result);
    }
}

// The rows a line covers wholly, and how much it covers of those before and after.
struct Coverage
{
    PixelSpan whole;
    double above;
    double below;
};

Coverage coverage(double x, double top, double bottom)
{
    const double firstRow = std::ceil(top);
    const double endRow = std::max(firstRow, std::floor(bottom));
    return {{static_cast<int>(std::floor(x)), static_cast<int>(firstRow), static_cast<int>(endRow)},
            firstRow - top,
            bottom - endRow};
}

// Ends of lines that cover a part of a pixel, sorted by how much.
class PartialPixels
{
public:
    void add(int column, int row, double share, int width)
    {
        const auto level = static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * levels);
        if (level > 0)
            m_pixels[std::min<std::size_t>(level, levels) - 1].emplace_back(column, row, width, 1);
    }

    void paint(QPainter& painter, QColor colour) const
    {
        for (std::size_t level = 0; level < levels; ++level) {
            colour.setAlphaF(static_cast<float>(level + 1) / (levels + 0.5F));
            painter.setBrush(colour);
            painter.drawRects(m_pixels[level]);
        }
    }

private:
    static constexpr int levels = 4;
    std::array<QList<QRect>, levels> m_pixels;
};

void paintPixels(QPainter& painter, const QTransform& toDevice, const QList<QLineF>& spans,
                 const QColor& colour, double width)
{
    const double scale = toDevice.m22();
    const int pixels = std::max(1, static_cast<int>(std::lround(width * scale)));
    const double ends = pixels / 2.0;
    QList<PixelSpan> whole;
    whole.reserve(spans.size());
    PartialPixels partial;
    for (const QLineF& span : spans) {
        const QPointF first = toDevice.map(span.p1());
        const QPointF last = toDevice.map(span.p2());
        const Coverage covered =
            coverage(first.x() - ends + 0.5, std::min(first.y(), last.y()) - ends,
                     std::max(first.y(), last.y()) + ends);
        const PixelSpan& rows = covered.whole;
        partial.add(rows.column, rows.top - 1, covered.above, pixels);
        partial.add(rows.column, rows.bottom, covered.below, pixels);
        if (!whole.empty() && whole.back().column == rows.column) {
            whole.back().top = std::min(whole.back().top, rows.top);
            whole.back().bottom = std::max(whole.back().bottom, rows.bottom);
        } else {
            whole.push_back(rows);
        }
    }
    QList<QRect> rectangles = mergedSpans(whole);
    for (QRect& rectangle : rectangles)
        rectangle.setWidth(rectangle.width() + pixels - 1);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing, false);
    // Device pixels from here on, also where a device counts in larger units.
    painter.setTransform(toDevice.inverted() * painter.transform());
    painter.setPen(Qt::NoPen);
    partial.paint(painter, colour);
    painter.setBrush(colour);
    painter.drawRects(rectangles);
    painter.restore();
}

} // namespace

QList<QRect> mergedSpans(const QList<PixelSpan>& spans)
{
    QList<QRect> result;
    const std::span<const PixelSpan> all(spans.constData(), static_cast<std::size_t>(spans.size()));
    std::size_t first = 0;
    while (first < all.size()) {
        std::size_t end = first + 1;
        int top = all[first].top;
        int bottom = all[first].bottom;
        while (end < all.size() && all[end].column == all[end - 1].column + 1) {
            top = std::min(top, all[end].top);
            bottom = std::max(bottom, all[end].bottom);
            ++end;
        }
        merge(all.subspan(first, end - first), top, bottom, result);
        first = end;
    }
    return result;
}

void paintSpans(QPainter& painter, const QList<QLineF>& spans, const QColor& colour, double width)
{
    const QTransform toDevice = painter.deviceTransform();
    const bool upright = toDevice.type() <= QTransform::TxScale && toDevice.m11() > 0
        && toDevice.m11() == toDevice.m22();
    if (upright && painter.paintEngine()->type() == QPaintEngine::Raster) {
        paintPixels(painter, toDevice, spans, colour, width);
        return;
    }
    QPen pen(colour, width);
    pen.setCapStyle(Qt::SquareCap);
    painter.setPen(pen);
    painter.drawLines(spans);
}

} // namespace fullbatch
