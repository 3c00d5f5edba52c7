// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/chart/made_log.h"
#include "ui/chart/span_painter.h"

#include <QImage>
#include <QPainter>
#include <QTest>

#include <vector>

using namespace fullbatch;

namespace {

constexpr int side = 64;

// How often each pixel is covered.
std::vector<int> counted(const QList<QRect>& rectangles)
{
    std::vector<int> counts(side * side, 0);
    for (const QRect& rectangle : rectangles)
        for (int y = rectangle.top(); y <= rectangle.bottom(); ++y)
            for (int x = rectangle.left(); x <= rectangle.right(); ++x)
                ++counts[static_cast<std::size_t>(y * side + x)];
    return counts;
}

std::vector<int> counted(const QList<PixelSpan>& spans)
{
    QList<QRect> columns;
    for (const PixelSpan& span : spans)
        if (span.bottom > span.top)
            columns.emplace_back(span.column, span.top, 1, span.bottom - span.top);
    return counted(columns);
}

QList<PixelSpan> randomSpans(std::uint64_t seed)
{
    QList<PixelSpan> spans;
    for (int column = 0; column < side; ++column) {
        const auto at = [&](std::uint64_t which) {
            const auto place = static_cast<std::uint64_t>(column) * 4 + which;
            return static_cast<int>(noiseAt(place, seed) * side);
        };
        if (at(2) > side / 8) // some columns stay empty
            spans.push_back({column, std::min(at(0), at(1)), std::max(at(0), at(1))});
    }
    return spans;
}

double meanDifference(const QImage& first, const QImage& second)
{
    double sum = 0;
    for (int y = 0; y < first.height(); ++y)
        for (int x = 0; x < first.width(); ++x)
            sum += std::abs(qGray(first.pixel(x, y)) - qGray(second.pixel(x, y)));
    return sum / (first.height() * first.width());
}

QImage painted(const QList<QLineF>& spans, bool byPen, double scale)
{
    QImage image(static_cast<int>(200 * scale), static_cast<int>(100 * scale),
                 QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::white);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    if (byPen) {
        painter.setPen(QPen(Qt::black, 2, Qt::SolidLine, Qt::SquareCap));
        painter.drawLines(spans);
    } else {
        paintSpans(painter, spans, Qt::black, 2);
    }
    return image;
}

} // namespace

class TestSpanPainter : public QObject
{
    Q_OBJECT

private slots:
    void coversEachPixelOnce();
    void comparisonFailsOnAMissingPixel();
    void blocksBecomeOneRectangle();
    void looksLikeAPen_data();
    void looksLikeAPen();
    void leavesThePainterAsItWas();
};

void TestSpanPainter::coversEachPixelOnce()
{
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        const QList<PixelSpan> spans = randomSpans(seed);
        QVERIFY2(counted(mergedSpans(spans)) == counted(spans),
                 qPrintable(QString("seed %1").arg(seed)));
    }
}

void TestSpanPainter::comparisonFailsOnAMissingPixel()
{
    QList<PixelSpan> spans = randomSpans(1);
    const QList<QRect> rectangles = mergedSpans(spans);
    ++spans.front().bottom;
    QVERIFY(counted(rectangles) != counted(spans));
}

void TestSpanPainter::blocksBecomeOneRectangle()
{
    QList<PixelSpan> spans;
    for (int column = 3; column < 40; ++column)
        spans.push_back({column, 5, 60});
    QCOMPARE(mergedSpans(spans), QList<QRect>{QRect(3, 5, 37, 55)});
}

void TestSpanPainter::looksLikeAPen_data()
{
    QTest::addColumn<double>("scale");
    // Mean difference in grey levels of 255. At 1 and 2 only the shares of the end pixels are
    // rounded; at 1.5 the pen also blurs every other line's sides over half pixels.
    QTest::addColumn<double>("tolerance");
    QTest::newRow("1") << 1.0 << 0.5;
    QTest::newRow("1.5") << 1.5 << 7.0;
    QTest::newRow("2") << 2.0 << 0.5;
}

void TestSpanPainter::looksLikeAPen()
{
    QFETCH(double, scale);
    QFETCH(double, tolerance);
    QList<QLineF> spans;
    for (int column = 10; column < 190; ++column) {
        const double height = 10 + 60 * noiseAt(static_cast<std::uint64_t>(column), 0);
        spans.emplace_back(column, 90 - height, column, 90);
    }
    const QImage pen = painted(spans, true, scale);
    const double difference = meanDifference(painted(spans, false, scale), pen);
    QVERIFY2(difference < tolerance, qPrintable(QString::number(difference)));
    for (QLineF& span : spans)
        span.translate(0, -8);
    QVERIFY(meanDifference(painted(spans, false, scale), pen) > tolerance);
}

void TestSpanPainter::leavesThePainterAsItWas()
{
    QImage image(50, 50, QImage::Format_RGB32);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.translate(3, 4);
    const QTransform before = painter.transform();
    paintSpans(painter, {QLineF(10, 10, 10, 20)}, Qt::red, 2);
    QCOMPARE(painter.transform(), before);
    QVERIFY(painter.testRenderHint(QPainter::Antialiasing));
    QCOMPARE(image.pixelColor(13, 19), QColor(Qt::red));
}

QTEST_APPLESS_MAIN(TestSpanPainter)
#include "tst_span_painter.moc"
