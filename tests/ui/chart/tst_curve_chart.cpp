// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/chart/made_log.h"
#include "ui/chart/curve_chart_view.h"

#include <QCategoryAxis>
#include <QLegendMarker>
#include <QLineSeries>
#include <QMouseEvent>
#include <QSignalSpy>
#include <QTest>

#include <malloc.h>

using namespace fullbatch;

namespace {

constexpr double legibleText = 4.5; // WCAG 2.1, section 1.4.3

QImage grabbed(CurveChartView& view)
{
    QCoreApplication::processEvents();
    QCoreApplication::processEvents();
    return view.grab().toImage().convertToFormat(QImage::Format_RGB32);
}

// But for the rounding of antialiasing.
bool alike(const QColor& first, const QColor& second)
{
    constexpr int rounding = 6; // of 255
    return std::abs(first.red() - second.red()) <= rounding
        && std::abs(first.green() - second.green()) <= rounding
        && std::abs(first.blue() - second.blue()) <= rounding;
}

bool showsColour(const QImage& image, const QRect& part, const QColor& colour)
{
    for (int y = part.top(); y <= part.bottom(); ++y)
        for (int x = part.left(); x <= part.right(); ++x)
            if (image.rect().contains(x, y) && alike(image.pixelColor(x, y), colour))
                return true;
    return false;
}

// Largest contrast of any pixel of the part to the background: that of its text.
double textContrast(const QImage& image, const QRect& part, const QColor& background)
{
    double contrast = 1;
    for (int y = part.top(); y <= part.bottom(); ++y)
        for (int x = part.left(); x <= part.right(); ++x)
            contrast = std::max(contrast, contrastRatio(image.pixelColor(x, y), background));
    return contrast;
}

void pullAll(CurveChartView& view)
{
    while (view.pull()) { }
}

QPalette darkPalette()
{
    QPalette palette;
    palette.setColor(QPalette::Base, QColor(0x20, 0x20, 0x22));
    palette.setColor(QPalette::Text, QColor(0xe8, 0xe8, 0xe8));
    return palette;
}

} // namespace

class TestCurveChart : public QObject
{
    Q_OBJECT

private slots:
    void spikeIsVisible();
    void zoomedSpikeIsExact();
    void pullIsBounded();
    void togglesLoseNothing();
    void zeroStaysOffOtherValues();
    void legendClickHides();
    void colourProbeFailsElsewhere();
    void textIsLegibleInEveryTheme();
    void redrawsKeepNothing();
};

void TestCurveChart::spikeIsVisible()
{
    CurveChartView view(Quantity::TrainingError);
    view.resize(900, 500);
    view.show();
    view.curves().addRun("a", "4 x 63", madeLog(200'000, [](std::uint64_t epoch) {
                             return epoch == 123'456 ? 80.0 : 5.0;
                         }));
    pullAll(view);
    const QImage image = grabbed(view);
    const PlotFrame& frame = view.curves().frame();
    const QPoint tip = QPointF(frame.x(123'456), frame.y(79)).toPoint();
    const QColor colour = runStyle(0).onLight;
    QVERIFY(showsColour(image, QRect(tip - QPoint(2, 2), tip + QPoint(2, 2)), colour));
    QVERIFY(!showsColour(image, QRect(tip + QPoint(8, -3), QSize(40, 6)), colour));
}

void TestCurveChart::zoomedSpikeIsExact()
{
    CurveChartView view(Quantity::TrainingError);
    view.resize(900, 500);
    view.curves().addRun("a", "4 x 63", madeLog(200'000, [](std::uint64_t epoch) {
                             return epoch == 123'456 ? 80.0 : 5.0;
                         }));
    view.show();
    pullAll(view);
    view.curves().zoomEpochs(AxisRange{123'451, 123'461});
    QCoreApplication::processEvents();
    const PlotFrame& frame = view.curves().frame();
    const QPointF place = view.curves().mapToScene(QPointF(frame.x(123'456), frame.y(50)));
    const QPoint mouse = view.mapFromScene(place);
    QMouseEvent move(QEvent::MouseMove, mouse, mouse, Qt::NoButton, {}, {});
    QCoreApplication::sendEvent(view.viewport(), &move);
    QCOMPARE(view.readout().text(), QString("Epoch 123,456\n4 x 63: 80 %"));
}

void TestCurveChart::pullIsBounded()
{
    CurveChartView view(Quantity::TrainingLoss);
    for (int run = 0; run < 4; ++run)
        view.curves().addRun(QString::number(run), "run",
                             madeLog(500'000, [](std::uint64_t) { return 1.0; }));
    std::size_t before = 0;
    int pulls = 0;
    for (bool more = true; more; ++pulls) {
        more = view.pull();
        std::size_t taken = 0;
        for (const auto& curve : view.curves().runs())
            taken += curve->training().size();
        QVERIFY(taken - before <= CurveChart::epochsAPull);
        before = taken;
    }
    QCOMPARE(before, std::size_t{2'000'000});
    QCOMPARE(pulls, 8);
}

void TestCurveChart::togglesLoseNothing()
{
    CurveChartView view(Quantity::TrainingError);
    view.resize(900, 500);
    view.show();
    const auto error = [](std::uint64_t epoch) {
        return epoch < 5000 ? 90.0 - 0.01 * static_cast<double>(epoch) : 0.0;
    };
    const auto log = madeLog(1000, error);
    view.curves().addRun("a", "4 x 63", log);
    pullAll(view);
    for (int toggle = 1; toggle <= 10; ++toggle) {
        extendLog(*log, 1000 + 1000 * static_cast<std::size_t>(toggle), error);
        view.curves().setLogarithmic(toggle % 2 == 1);
        pullAll(view);
        grabbed(view);
        const PlotFrame& frame = view.curves().frame();
        QVERIFY(frame.epochs.to >= static_cast<double>(log->epochs.size()));
        QVERIFY(frame.scale.position(90) <= frame.values.to);
    }
    QVERIFY(!view.curves().logarithmic());
    const MinMaxPyramid& series = view.curves().runs()[0]->training();
    QCOMPARE(series.size(), std::size_t{11'000});
    for (std::size_t epoch = 0; epoch < series.size(); ++epoch)
        QCOMPARE(series[epoch],
                 static_cast<float>(errorPercent(log->epochs[epoch].wrongRows, madeRows)));
    QCOMPARE(view.curves().frame().values, (AxisRange{0, 100}));
}

void TestCurveChart::zeroStaysOffOtherValues()
{
    CurveChartView view(Quantity::TrainingError);
    view.resize(900, 500);
    view.show();
    view.curves().addRun(
        "a", "4 x 63", madeLog(1000, [](std::uint64_t epoch) { return epoch < 500 ? 0.1 : 0.0; }));
    view.curves().setLogarithmic(true);
    pullAll(view);
    const QImage image = grabbed(view);
    const PlotFrame& frame = view.curves().frame();
    const QColor colour = runStyle(0).onLight;
    const QRect zeros = QRectF(frame.x(700), frame.y(0) - 2, 20, 4).toRect();
    QVERIFY(showsColour(image, zeros, colour));
    const QRect tenths = QRectF(frame.x(700), frame.y(0.1) - 4, 20, 8).toRect();
    QVERIFY(!showsColour(image, tenths, colour));
    auto* axis = qobject_cast<QCategoryAxis*>(view.curves().axes(Qt::Vertical).constFirst());
    QCOMPARE(axis->categoriesLabels().constFirst(), QString("0"));
}

void TestCurveChart::legendClickHides()
{
    CurveChartView view(Quantity::TrainingError);
    view.resize(900, 500);
    view.show();
    view.curves().addRun("a", "4 x 63", madeLog(100, [](std::uint64_t) { return 50.0; }));
    pullAll(view);
    const PlotFrame& frame = view.curves().frame();
    QVERIFY(showsColour(grabbed(view), frame.area.toRect(), runStyle(0).onLight));
    QSignalSpy changes(&view.curves(), &CurveChart::runVisibilityChanged);
    emit view.curves()
        .legend()
        ->markers(view.curves().series().constLast())
        .constFirst()
        ->clicked();
    QCOMPARE(changes.count(), 1);
    QVERIFY(!view.curves().run("a")->visible);
    QVERIFY(!showsColour(grabbed(view), frame.area.toRect(), runStyle(0).onLight));
    QTest::keyClick(&view, Qt::Key_1);
    QVERIFY(view.curves().run("a")->visible);
}

void TestCurveChart::colourProbeFailsElsewhere()
{
    QImage image(20, 20, QImage::Format_RGB32);
    image.fill(Qt::white);
    image.setPixelColor(15, 15, Qt::red);
    QVERIFY(showsColour(image, QRect(10, 10, 10, 10), Qt::red));
    QVERIFY(!showsColour(image, QRect(0, 0, 10, 10), Qt::red));
    QCOMPARE(textContrast(image, QRect(0, 0, 10, 10), Qt::white), 1.0);
}

void TestCurveChart::textIsLegibleInEveryTheme()
{
    CurveChartView view(Quantity::TrainingError);
    view.resize(900, 500);
    view.show();
    view.curves().addRun("a", "4 x 63", madeLog(100, [](std::uint64_t) { return 50.0; }));
    pullAll(view);
    for (const QPalette& palette : {QPalette(), darkPalette(), QPalette()}) {
        view.setPalette(palette); // a switch while it runs
        const QImage image = grabbed(view);
        const QColor background = palette.color(QPalette::Base);
        QCOMPARE(image.pixelColor(1, 1), background);
        const QRect area = view.curves().plotArea().toRect();
        const QRect left(0, area.top(), area.left() - 6, area.height());
        const QRect below(area.left(), area.bottom() + 6, area.width(),
                          image.height() - area.bottom() - 7);
        const QRect legend(image.width() / 2, 2, 120, area.top() - 8);
        for (const QRect& part : {left, below, legend})
            QVERIFY(textContrast(image, part, background) >= legibleText);
        const bool dark = background.lightness() < 128;
        QVERIFY(showsColour(image, area, runStyle(0).colour(dark)));
    }
}

void TestCurveChart::redrawsKeepNothing()
{
    CurveChartView view(Quantity::TrainingError);
    view.resize(900, 500);
    view.show();
    const auto log = madeLog(50'000, [](std::uint64_t epoch) { return 100 * noiseAt(epoch, 0); });
    view.curves().addRun("a", "4 x 63", log);
    pullAll(view);
    const auto redraw = [&view](int times) {
        for (int i = 0; i < times; ++i) {
            view.curves().setLogarithmic(i % 2 == 0); // new ticks, too
            grabbed(view);
        }
    };
    redraw(20);
    const std::size_t before = mallinfo2().uordblks;
    redraw(100);
    const std::size_t after = mallinfo2().uordblks;
    // A kibibyte a redraw would be 50 MB in half an hour.
    QVERIFY2(after < before + 100 * 1024, qPrintable(QString::number(after - before)));
}

QTEST_MAIN(TestCurveChart)
#include "tst_curve_chart.moc"
