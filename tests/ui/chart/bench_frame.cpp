// SPDX-License-Identifier: GPL-3.0-or-later
// What a frame of the live chart costs: pulling the new epochs of four runs and painting the whole
// chart, 1200 x 700, into an image. Prints JSON. bench_frame [--picture FOLDER] [--frames N]

#include "tests/ui/chart/made_log.h"
#include "ui/chart/curve_chart_view.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QElapsedTimer>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace fullbatch;

namespace {

constexpr std::size_t runs = 4;
constexpr std::size_t newEpochs = 100; // of each run in each frame

enum class Pattern { White, Decaying, Smooth };

double errorAt(Pattern pattern, std::uint64_t epoch, std::uint64_t run, std::size_t epochs)
{
    if (pattern == Pattern::White)
        return 100 * noiseAt(epoch, run);
    if (pattern == Pattern::Decaying)
        return decayingError(epoch, run, epochs);
    return 90
        * std::exp(-3e-5 * static_cast<double>(epoch * (run + 1)) * 200'000
                   / static_cast<double>(epochs));
}

struct Timing
{
    double median;
    double lowerQuartile;
    double upperQuartile;
};

Timing timingOf(std::vector<double> milliseconds)
{
    std::sort(milliseconds.begin(), milliseconds.end());
    const auto at = [&](std::size_t quarter) {
        return milliseconds[quarter * (milliseconds.size() - 1) / 4];
    };
    return {at(2), at(1), at(3)};
}

Timing frameTiming(Pattern pattern, std::size_t epochs, int frames, const QString& picture)
{
    CurveChartView view(Quantity::TrainingError);
    view.resize(1200, 700);
    view.show();
    std::vector<std::shared_ptr<MetricsLog>> logs;
    const auto extendAll = [&](std::size_t end) {
        for (std::size_t run = 0; run < runs; ++run)
            extendLog(*logs[run], end,
                      [&](std::uint64_t epoch) { return errorAt(pattern, epoch, run, epochs); });
    };
    const char* names[] = {"1 x 298", "2 x 100", "3 x 75", "4 x 63"};
    for (std::size_t run = 0; run < runs; ++run) {
        logs.push_back(std::make_shared<MetricsLog>());
        view.curves().addRun(QString::number(run), names[run], logs.back());
    }
    // The last epoch lands on a round number, so that the axis ends with the data.
    const std::size_t during = newEpochs * static_cast<std::size_t>(frames);
    std::size_t now = epochs > during ? epochs - during : epochs / 2;
    const std::size_t step = (epochs - now) / static_cast<std::size_t>(frames);
    extendAll(now);
    while (view.pull()) { }
    QCoreApplication::processEvents();
    QImage image(1200, 700, QImage::Format_ARGB32_Premultiplied);
    view.QWidget::render(&image);
    std::vector<double> milliseconds;
    for (int frame = 0; frame < frames; ++frame) {
        now += step;
        extendAll(now);
        QElapsedTimer timer;
        timer.start();
        view.pull();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest); // axes, legend
        view.QWidget::render(&image);
        milliseconds.push_back(static_cast<double>(timer.nsecsElapsed()) * 1e-6);
    }
    if (!picture.isEmpty())
        image.save(picture);
    return timingOf(milliseconds);
}

QJsonObject measured(Pattern pattern, const QString& name, int frames, const QString& folder)
{
    QJsonObject result{{"pattern", name}};
    double shortMedian = 0;
    for (const std::size_t epochs : {std::size_t{5'000}, std::size_t{500'000}}) {
        const QString picture =
            folder.isEmpty() ? QString() : QString("%1/%2-%3.png").arg(folder, name).arg(epochs);
        const Timing timing = frameTiming(pattern, epochs, frames, picture);
        result[QString("epochs_%1").arg(epochs)] =
            QJsonObject{{"median_ms", timing.median},
                        {"lower_quartile_ms", timing.lowerQuartile},
                        {"upper_quartile_ms", timing.upperQuartile}};
        if (shortMedian == 0)
            shortMedian = timing.median;
        else
            result["ratio"] = timing.median / shortMedian;
    }
    return result;
}

} // namespace

int main(int argc, char** argv)
{
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QCommandLineParser parser;
    parser.addOption({"picture", "Save the last frames there.", "folder"});
    parser.addOption({"frames", "Frames of each measurement.", "count", "41"});
    parser.process(application);
    const int frames = parser.value("frames").toInt();
    const QString folder = parser.value("picture");
    const QJsonArray patterns{measured(Pattern::White, "white", frames, folder),
                              measured(Pattern::Decaying, "decaying", frames, folder),
                              measured(Pattern::Smooth, "smooth", frames, folder)};
    const QJsonObject report{{"width", 1200},
                             {"height", 700},
                             {"runs", static_cast<int>(runs)},
                             {"frames", frames},
                             {"patterns", patterns}};
    std::fputs(QJsonDocument(report).toJson().constData(), stdout);
    return 0;
}
