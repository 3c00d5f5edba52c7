// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curves/pixel_columns.h"
#include "tests/core/curves/series_samples.h"

#include <QTest>

using namespace fullbatch;

namespace {

bool sameColumn(const PixelColumn& a, const PixelColumn& b)
{
    return same(a.range, b.range)
        && (a.range.finite == 0 || (a.first == b.first && a.last == b.last));
}

/// What pixelColumns() promises, by looking at every epoch for every column.
std::vector<PixelColumn> plainColumns(const std::vector<float>& values, double from, double to,
                                      std::size_t columns)
{
    std::vector<PixelColumn> result(columns);
    for (std::size_t c = 0; c < columns; ++c) {
        const auto edge = [&](std::size_t column) {
            return from + (to - from) * static_cast<double>(column) / static_cast<double>(columns);
        };
        std::vector<float> inside;
        for (std::size_t e = 0; e < values.size(); ++e) {
            const auto x = static_cast<double>(e);
            const bool last = c + 1 == columns;
            if (x >= edge(c) && (last ? x <= to : x < edge(c + 1)))
                inside.push_back(values[e]);
        }
        result[c].range = plainRange(inside, 0, inside.size());
        bool found = false;
        for (const float value : inside)
            if (std::isfinite(value)) {
                result[c].first = found ? result[c].first : value;
                result[c].last = value;
                found = true;
            }
    }
    return result;
}

} // namespace

class PixelColumnsTest : public QObject
{
    Q_OBJECT

private slots:
    void sameColumnNoticesEachDifference()
    {
        const PixelColumn column{{1, 4, 3, 0}, 2, 3};
        QVERIFY(sameColumn(column, column));
        QVERIFY(!sameColumn(column, {{1, 4, 3, 0}, 1, 3}));
        QVERIFY(!sameColumn(column, {{1, 4, 3, 0}, 2, 4}));
        QVERIFY(!sameColumn(column, {{1, 4, 3, 1}, 2, 3}));
    }

    void equalsThePlainReduction_data()
    {
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<std::size_t>("columns");
        const auto row = [](const char* name, double from, double to, std::size_t columns) {
            QTest::newRow(name) << from << to << columns;
        };
        row("everything", 0, 6999, 110);
        row("one column", 0, 6999, 1);
        row("the axis ends before the last epoch", 0, 5000, 97);
        row("the axis ends after the last epoch", 0, 20'000, 97);
        row("the axis begins before epoch 0", -500, 900, 97);
        row("a window with fractions", 1234.56, 4321.01, 213);
        row("as many epochs as columns", 100, 199, 100);
        row("fewer epochs than columns", 1000.25, 1017.75, 120);
        row("between two epochs", 1000.25, 1000.75, 12);
        row("one epoch wide", 1000, 1000, 12);
        row("only not finite values", 2400, 3400, 50);
        row("left of the series", -100, -1, 10);
        row("right of the series", 7000, 8000, 10);
        row("far beyond every integer", -1e300, 1e300, 5);
    }

    void equalsThePlainReduction()
    {
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(std::size_t, columns);
        const std::vector<float> values = spottedSeries(7000, 23);
        MinMaxPyramid series;
        series.append(values);
        const auto fast = pixelColumns(series, from, to, columns);
        const auto plain = plainColumns(values, from, to, columns);
        QCOMPARE(fast.size(), columns);
        for (std::size_t c = 0; c < columns; ++c)
            QVERIFY2(sameColumn(fast[c], plain[c]), qPrintable(QString::number(c)));
    }

    void randomWindowsEqualThePlainReduction()
    {
        const std::vector<float> values = spottedSeries(2000, 29);
        MinMaxPyramid series;
        series.append(values);
        std::mt19937 random(31);
        std::uniform_real_distribution<double> epoch(-100, 2100);
        for (int i = 0; i < 100; ++i) {
            const double from = epoch(random);
            const double to = from + epoch(random) / (1 << (random() % 10));
            const std::size_t columns = 1 + random() % 50;
            const auto fast = pixelColumns(series, from, to, columns);
            if (to < from)
                continue;
            const auto plain = plainColumns(values, from, to, columns);
            for (std::size_t c = 0; c < columns; ++c)
                QVERIFY(sameColumn(fast[c], plain[c]));
        }
    }

    void everyEpochIsInExactlyOneColumn()
    {
        const std::vector<float> values(100'003, 1);
        MinMaxPyramid series;
        series.append(values);
        for (const std::size_t columns : {1U, 7U, 900U, 1100U, 3000U}) {
            std::size_t epochs = 0;
            for (const PixelColumn& column : pixelColumns(series, 0, 100'002, columns))
                epochs += column.range.finite;
            QCOMPARE(epochs, values.size());
        }
    }

    void oneSpikeIsSeenAtEveryZoom()
    {
        std::vector<float> values(200'000, 5);
        values[123'456] = 80;
        MinMaxPyramid series;
        series.append(values);
        for (const double halfWidth : {123'456.0, 5000.0, 30.0, 0.5}) {
            float maximum = 0;
            for (const auto& column :
                 pixelColumns(series, 123'456 - halfWidth, 123'456 + halfWidth, 900))
                if (column.range.finite > 0)
                    maximum = std::max(maximum, column.range.maximum);
            QCOMPARE(maximum, 80.0F);
        }
    }

    void anAxisThatMakesNoSenseGivesEmptyColumns()
    {
        MinMaxPyramid series;
        series.append(std::vector<float>(100, 1));
        constexpr double nan = std::numeric_limits<double>::quiet_NaN();
        constexpr double infinity = std::numeric_limits<double>::infinity();
        for (const auto& [from, to] : std::vector<std::pair<double, double>>{
                 {10, 5}, {nan, 5}, {0, nan}, {0, infinity}, {-infinity, infinity}})
            for (const PixelColumn& column : pixelColumns(series, from, to, 7))
                QVERIFY(same(column.range, {}));
        QVERIFY(pixelColumns(series, 0, 10, 0).empty());
        QCOMPARE(pixelColumns(MinMaxPyramid(), 0, 10, 3).size(), std::size_t(3));
    }
};

QTEST_APPLESS_MAIN(PixelColumnsTest)
#include "tst_pixel_columns.moc"
