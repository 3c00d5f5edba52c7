// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/curve_picture.h"

#include "core/exchange/output_file.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QGraphicsLayout>
#include <QGraphicsScene>
#include <QImage>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <ostream>

namespace fullbatch {
namespace {

constexpr int dotsPerInch = 96;

enum class Format { Png, Svg, Pdf, Unknown };

QString nameOf(const std::filesystem::path& file)
{
    return QString::fromStdU16String(file.u16string());
}

Format formatOf(const std::filesystem::path& file)
{
    const QString suffix = QString::fromStdU16String(file.extension().u16string()).toLower();
    if (suffix == QLatin1String(".png"))
        return Format::Png;
    if (suffix == QLatin1String(".svg"))
        return Format::Svg;
    if (suffix == QLatin1String(".pdf"))
        return Format::Pdf;
    return Format::Unknown;
}

QFont fontFor(const QSize& size, double pixelsAt900)
{
    // The smaller side decides; pixels, because points would follow the screen's resolution.
    const double scale = std::min(size.width() / 1600.0, size.height() / 900.0);
    QFont font;
    font.setHintingPreference(QFont::PreferNoHinting); // hinting would follow the screen's scale
    font.setPixelSize(std::max(8, static_cast<int>(std::lround(pixelsAt900 * scale))));
    return font;
}

// The chart as it is painted; the scene owns it.
void fill(QGraphicsScene& scene, const CurvePicture& picture)
{
    auto* chart = new CurveChart(picture.quantity);
    scene.addItem(chart);
    scene.setSceneRect(QRectF(QPointF(), picture.size));
    chart->resize(picture.size);
    chart->setColours(ChartColours::paper());
    chart->setFonts(fontFor(picture.size, 25), fontFor(picture.size, 27));
    chart->setTitle(picture.title);
    chart->setTitleFont(fontFor(picture.size, 31));
    chart->setTitleBrush(chart->colours().text);
    chart->setPenWidth(3 * std::min(picture.size.width() / 1600.0, picture.size.height() / 900.0));
    int id = 0;
    for (const PictureRun& run : picture.runs)
        chart->addRun(QString::number(id++), run.name, run.log, run.styleIndex);
    while (chart->pull()) { }
    chart->setLogarithmic(picture.logarithmic);
    chart->zoomEpochs(picture.epochs);
    chart->zoomValues(picture.values);
    // No event loop runs that would lay the legend and the labels out.
    for (int round = 0; round < 3; ++round) {
        chart->layout()->invalidate();
        chart->layout()->activate();
    }
}

void paintOn(QPaintDevice& device, const CurvePicture& picture)
{
    QGraphicsScene scene;
    fill(scene, picture);
    QPainter painter(&device);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF whole(QPointF(), picture.size);
    scene.render(&painter, whole, whole, Qt::IgnoreAspectRatio);
}

void paintPng(QIODevice& out, const CurvePicture& picture)
{
    QImage image(picture.size, QImage::Format_RGB32);
    image.fill(Qt::white);
    const int dotsPerMeter = static_cast<int>(std::lround(dotsPerInch / 0.0254));
    image.setDotsPerMeterX(dotsPerMeter);
    image.setDotsPerMeterY(dotsPerMeter);
    paintOn(image, picture);
    image.save(&out, "PNG");
}

void paintSvg(QIODevice& out, const CurvePicture& picture)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&out);
    generator.setSize(picture.size);
    generator.setViewBox(QRect(QPoint(), picture.size));
    generator.setResolution(dotsPerInch);
    generator.setTitle(picture.title);
    paintOn(generator, picture);
}

void paintPdf(QIODevice& out, const CurvePicture& picture)
{
    QPdfWriter writer(&out);
    writer.setCreator(QCoreApplication::applicationName());
    writer.setTitle(picture.title);
    writer.setResolution(dotsPerInch);
    writer.setPageSize(QPageSize(QSizeF(picture.size) / dotsPerInch, QPageSize::Inch, QString(),
                                 QPageSize::ExactMatch));
    writer.setPageMargins({});
    paintOn(writer, picture);
}

} // namespace

CurvePicture pictureOf(const CurveChart& chart)
{
    CurvePicture picture;
    picture.quantity = chart.quantity();
    picture.logarithmic = chart.logarithmic();
    picture.epochs = chart.zoomedEpochs();
    picture.values = chart.zoomedValues();
    for (const auto& curve : chart.runs())
        if (curve->visible)
            picture.runs.push_back({curve->name, curve->log(), curve->styleIndex()});
    return picture;
}

std::string pictureProblem(const std::filesystem::path& file)
{
    if (formatOf(file) != Format::Unknown)
        return {};
    return QCoreApplication::translate(
               "CurvePicture", "%1 cannot be a picture: its name must end in .png, .svg or .pdf.")
        .arg(nameOf(file))
        .toStdString();
}

QByteArray paintedPicture(const std::filesystem::path& file, const CurvePicture& picture)
{
    if (const std::string problem = pictureProblem(file); !problem.empty())
        throw OutputError(problem);
    QByteArray bytes;
    QBuffer out(&bytes);
    out.open(QIODevice::WriteOnly);
    const Format format = formatOf(file);
    if (format == Format::Png) {
        paintPng(out, picture);
    } else if (format == Format::Svg) {
        paintSvg(out, picture);
        // Where our font is missing, text is to fall back to one without serifs.
        const QByteArray family = "font-family=\"" + QFont().family().toUtf8();
        bytes.replace(family + '"', family + ", sans-serif\"");
    } else {
        paintPdf(out, picture);
    }
    return bytes;
}

void writeCurvePicture(const std::filesystem::path& file, const CurvePicture& picture)
{
    const QByteArray bytes = paintedPicture(file, picture);
    writeWhole(file,
               [&bytes](std::ostream& stream) { stream.write(bytes.constData(), bytes.size()); });
}

} // namespace fullbatch
