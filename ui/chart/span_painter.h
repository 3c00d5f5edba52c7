// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QLineF>
#include <QList>
#include <QRect>

class QPainter;

namespace fullbatch {

/// One column of whole device pixels: rows top .. bottom-1.
struct PixelSpan
{
    int column;
    int top;
    int bottom;
};

/// Rectangles that cover exactly the pixels of the spans, no pixel twice, as wide as possible:
/// what neighbouring columns have in common becomes one rectangle. The spans' columns must rise.
[[nodiscard]] QList<QRect> mergedSpans(const QList<PixelSpan>& spans);

/// Draws vertical lines, from left to right, `width` wide and with square ends. Dense noise is
/// thousands of them side by side; on a raster device that costs as much as the area they cover
/// and not, as an antialiased pen does, a span for each line in each row.
void paintSpans(QPainter& painter, const QList<QLineF>& spans, const QColor& colour, double width);

} // namespace fullbatch
