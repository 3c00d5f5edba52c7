// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/chart/curve_chart.h"

#include <QSize>

#include <filesystem>
#include <string>

namespace fullbatch {

struct PictureRun
{
    QString name;
    std::shared_ptr<const MetricsLog> log;
    int styleIndex = -1; ///< < 0: the lowest free one
};

/// A picture of curves for paper and slides: black on white whatever the theme, every epoch in it.
struct CurvePicture
{
    std::vector<PictureRun> runs; ///< in the order of the legend
    Quantity quantity = Quantity::TrainingError;
    QString title; ///< may be empty
    bool logarithmic = false;
    std::optional<AxisRange> epochs; ///< none: all
    std::optional<AxisRange> values; ///< none: follows the data
    QSize size = {1600, 900}; ///< pixels of a PNG, whatever the screen's scale; 1/96 inch elsewhere
};

/// What a chart shows now: its visible runs with their colours, its zoom and scale.
[[nodiscard]] CurvePicture pictureOf(const CurveChart& chart);

/// Empty, or one sentence with the suffixes that are allowed: .png, .svg and .pdf.
[[nodiscard]] std::string pictureProblem(const std::filesystem::path& file);

/// The bytes of a file in the format that its suffix names, for writing in another thread. Throws
/// OutputError with pictureProblem(). Needs a QApplication (the offscreen platform will do) and its
/// thread, but no display.
[[nodiscard]] QByteArray paintedPicture(const std::filesystem::path& file,
                                        const CurvePicture& picture);

/// Paints and writes the file, whole or not at all. Throws OutputError, also with the system's
/// reason.
void writeCurvePicture(const std::filesystem::path& file, const CurvePicture& picture);

} // namespace fullbatch
