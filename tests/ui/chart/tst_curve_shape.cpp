// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/chart/made_log.h"
#include "ui/chart/curve_shape.h"

#include <QTest>

#include <functional>
#include <limits>

using namespace fullbatch;

namespace {

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
constexpr double near = 1e-6; // of a pixel

MinMaxPyramid seriesOf(std::size_t size, const std::function<double(std::size_t)>& value)
{
    MinMaxPyramid series;
    std::vector<float> values(size);
    for (std::size_t epoch = 0; epoch < size; ++epoch)
        values[epoch] = static_cast<float>(value(epoch));
    series.append(values);
    return series;
}

PlotFrame frameOf(double epochs, double highest)
{
    PlotFrame frame;
    frame.area = {50, 20, 900, 500};
    frame.epochs = {0, epochs};
    frame.values = {0, highest};
    return frame;
}

// Every place of the shape, lines, spans and dots.
QList<QPointF> placesOf(const CurveShape& shape)
{
    QList<QPointF> places = shape.dots;
    for (const QPolygonF& line : shape.lines)
        places += line;
    for (const QLineF& span : shape.spans)
        places << span.p1() << span.p2();
    return places;
}

bool allInside(const CurveShape& shape, const QRectF& area)
{
    const QRectF slightly = area.adjusted(-near, -near, near, near);
    for (const QPointF& place : placesOf(shape))
        if (std::isnan(place.x() + place.y()) || !slightly.contains(place))
            return false;
    return true;
}

double highestOf(const CurveShape& shape)
{
    double highest = HUGE_VAL;
    for (const QPointF& place : placesOf(shape))
        highest = std::min(highest, place.y());
    return highest;
}

} // namespace

class TestCurveShape : public QObject
{
    Q_OBJECT

private slots:
    void insideFailsOutside();
    void singleValuesAreDots();
    void gapsOfPixelColumns();
    void spikeSurvives();
    void zoomIsExact();
    void zoomStaysInside();
    void zeroLiesOnItsLine();
    void costDependsOnPixels();
    void slopesAreLines();
    void testPointsAreJoined();
    void denseTestsAreBounded();
};

void TestCurveShape::insideFailsOutside()
{
    CurveShape shape;
    shape.dots.push_back({0, 0});
    QVERIFY(!allInside(shape, {1, 1, 10, 10}));
    shape.dots = {{5, std::numeric_limits<double>::quiet_NaN()}};
    QVERIFY(!allInside(shape, {1, 1, 10, 10}));
}

void TestCurveShape::singleValuesAreDots()
{
    const PlotFrame frame = frameOf(10, 2);
    const MinMaxPyramid series =
        seriesOf(5, [](std::size_t epoch) { return epoch % 2 == 0 ? 1 : notANumber; });
    const CurveShape shape = traceTraining(frame, series);
    QCOMPARE(shape.dots.size(), 3);
    QVERIFY(shape.lines.empty() && shape.spans.empty());
    QCOMPARE(shape.dots[1], QPointF(frame.x(2), frame.y(1)));
}

void TestCurveShape::gapsOfPixelColumns()
{
    const PlotFrame frame = frameOf(90'000, 2);
    const MinMaxPyramid series = seriesOf(90'000, [](std::size_t epoch) {
        return epoch < 30'000 || epoch == 45'000 || epoch >= 60'000 ? 1 : notANumber;
    });
    const CurveShape shape = traceTraining(frame, series);
    QCOMPARE(shape.dots.size(), 1);
    QVERIFY(std::abs(shape.dots[0].x() - frame.x(45'000)) <= 1);
    for (const QPointF& place : placesOf(shape)) {
        QCOMPARE(place.y(), frame.y(1));
        const double epoch = frame.epochAt(place.x());
        QVERIFY(epoch < 30'100 || epoch > 59'900 || place == shape.dots[0]);
    }
    for (const QPolygonF& line : shape.lines)
        QVERIFY(line.front().x() > frame.x(59'900) || line.back().x() < frame.x(30'100));
}

void TestCurveShape::spikeSurvives()
{
    const PlotFrame frame = frameOf(200'000, 100);
    const MinMaxPyramid series =
        seriesOf(200'000, [](std::size_t epoch) { return epoch == 123'456 ? 80 : 5; });
    const CurveShape shape = traceTraining(frame, series);
    QCOMPARE(highestOf(shape), frame.y(80));
    QCOMPARE(shape.spans.size(), 1);
    QVERIFY(std::abs(shape.spans[0].x1() - frame.x(123'456)) <= 1);
}

void TestCurveShape::zoomIsExact()
{
    PlotFrame frame = frameOf(1, 100);
    frame.epochs = {123'450, 123'460};
    const MinMaxPyramid series =
        seriesOf(200'000, [](std::size_t epoch) { return epoch == 123'456 ? 80 : 5; });
    const CurveShape shape = traceTraining(frame, series);
    QVERIFY(placesOf(shape).contains(QPointF(frame.x(123'456), frame.y(80))));
    QVERIFY(placesOf(shape).contains(QPointF(frame.x(123'455), frame.y(5))));
}

void TestCurveShape::zoomStaysInside()
{
    PlotFrame frame = frameOf(1, 1);
    frame.values = {40, 41};
    const MinMaxPyramid series =
        seriesOf(200'000, [](std::size_t epoch) { return 100 * noiseAt(epoch, 0); });
    for (const double length : {3.0, 50.0, 900.0, 5'000.0, 180'000.0}) {
        frame.epochs = {1000.5, 1000.5 + length};
        const CurveShape shape = traceTraining(frame, series);
        QVERIFY(!placesOf(shape).empty());
        QVERIFY(allInside(shape, frame.area));
    }
}

void TestCurveShape::zeroLiesOnItsLine()
{
    PlotFrame frame = frameOf(1000, 1);
    frame.scale = {true, -2};
    frame.values = {-2.2, 2};
    const MinMaxPyramid series =
        seriesOf(1000, [](std::size_t epoch) { return epoch < 500 ? 10.0 : 0.0; });
    const CurveShape shape = traceTraining(frame, series);
    QVERIFY(allInside(shape, frame.area));
    const QPointF last = shape.lines.back().back();
    QVERIFY(std::abs(last.y() - frame.y(0)) < near);
    QVERIFY(last.y() > frame.y(0.1) + 10);
}

void TestCurveShape::costDependsOnPixels()
{
    for (const std::size_t epochs : {std::size_t{5'000}, std::size_t{500'000}}) {
        const MinMaxPyramid series =
            seriesOf(epochs, [](std::size_t epoch) { return 100 * noiseAt(epoch, 0); });
        const PlotFrame frame = frameOf(static_cast<double>(epochs), 100);
        QVERIFY(placesOf(traceTraining(frame, series)).size() <= 4 * 900);
    }
}

void TestCurveShape::slopesAreLines()
{
    const PlotFrame frame = frameOf(90'000, 100);
    const MinMaxPyramid series = seriesOf(90'000, [](std::size_t epoch) {
        return 90 * std::exp(-static_cast<double>(epoch) / 9000);
    });
    const CurveShape shape = traceTraining(frame, series);
    QVERIFY(shape.spans.empty());
    QVERIFY(std::abs(highestOf(shape) - frame.y(90)) < near);
}

void TestCurveShape::testPointsAreJoined()
{
    RunCurve::TestCurve test;
    test.epochs = {0, 50, 100};
    test.values = seriesOf(3, [](std::size_t index) { return 10.0 + static_cast<double>(index); });
    const PlotFrame frame = frameOf(100, 20);
    const CurveShape shape = traceTest(frame, test);
    const QList<QPointF> places = placesOf(shape);
    QCOMPARE(places.front(), QPointF(frame.x(0), frame.y(10)));
    QCOMPARE(places.back(), QPointF(frame.x(100), frame.y(12)));
    PlotFrame between = frame;
    between.epochs = {60, 70}; // no point, but the line passes through
    const CurveShape passing = traceTest(between, test);
    QCOMPARE(passing.lines.size(), 1);
    QVERIFY(allInside(passing, between.area));
}

void TestCurveShape::denseTestsAreBounded()
{
    RunCurve::TestCurve test;
    for (std::uint64_t epoch = 0; epoch < 200'000; ++epoch)
        test.epochs.push_back(epoch);
    test.values = seriesOf(200'000, [](std::size_t index) { return index == 777 ? 99 : 5; });
    const PlotFrame frame = frameOf(200'000, 100);
    const CurveShape shape = traceTest(frame, test);
    QVERIFY(placesOf(shape).size() <= 4 * 900);
    QCOMPARE(highestOf(shape), frame.y(99));
}

QTEST_APPLESS_MAIN(TestCurveShape)
#include "tst_curve_shape.moc"
