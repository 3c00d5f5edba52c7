// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QPen>

namespace fullbatch {

/// How the curve of one run looks. The index is given to a run once, when it is added, so hiding or
/// removing a run never recolours another. Indexes 0 .. 11 have different colours; no two of
/// 0 .. 47 share colour and dash. Neighbours differ in lightness, so a grey print keeps them apart.
struct RunStyle
{
    QColor onLight; ///< contrast at least 3 with white
    QColor onDark; ///< contrast at least 3 with dark themes
    QList<qreal> dashes; ///< in pen widths, empty for a solid line

    [[nodiscard]] QColor colour(bool dark) const { return dark ? onDark : onLight; }
    [[nodiscard]] QPen pen(bool dark, qreal width) const;
};

[[nodiscard]] RunStyle runStyle(int index);

/// The colours of everything on a chart but the curves.
struct ChartColours
{
    bool dark = false;
    QColor background;
    QColor text; ///< contrast with background at least 4.5, whatever the palette says
    QColor grid;
    QColor axis;
    QColor readout; ///< background of the box that shows the values under the mouse

    /// Follows a widget's palette.
    [[nodiscard]] static ChartColours of(const QPalette& palette);
    /// Black on white, for paper and slides.
    [[nodiscard]] static ChartColours paper();
};

/// Contrast of two opaque colours, 1 .. 21 (WCAG 2.1, section 1.4.3).
[[nodiscard]] double contrastRatio(const QColor& first, const QColor& second);

} // namespace fullbatch
