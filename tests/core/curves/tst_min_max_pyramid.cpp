// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curves/min_max_pyramid.h"
#include "tests/core/curves/series_samples.h"

#include <QTest>

#include <algorithm>

using namespace fullbatch;

namespace {

MinMaxPyramid pyramidOf(const std::vector<float>& values)
{
    MinMaxPyramid pyramid;
    pyramid.append(values);
    return pyramid;
}

std::size_t plainFirstFinite(const std::vector<float>& values, std::size_t first, std::size_t end)
{
    for (std::size_t i = first; i < std::min(end, values.size()); ++i)
        if (std::isfinite(values[i]))
            return i;
    return MinMaxPyramid::npos;
}

std::size_t plainLastFinite(const std::vector<float>& values, std::size_t first, std::size_t end)
{
    for (std::size_t i = std::min(end, values.size()); i > first; --i)
        if (std::isfinite(values[i - 1]))
            return i - 1;
    return MinMaxPyramid::npos;
}

} // namespace

class MinMaxPyramidTest : public QObject
{
    Q_OBJECT

private slots:
    void sameNoticesEachDifference()
    {
        const ValueRange range{1, 2, 3, 4};
        QVERIFY(same(range, range));
        QVERIFY(!same(range, {0, 2, 3, 4}));
        QVERIFY(!same(range, {1, 3, 3, 4}));
        QVERIFY(!same(range, {1, 2, 2, 4}));
        QVERIFY(!same(range, {1, 2, 3, 5}));
        QVERIFY(same({1, 2, 0, 4}, {0, 0, 0, 4}));
    }

    void anEmptySeriesHasNoRange()
    {
        MinMaxPyramid pyramid;
        pyramid.append({});
        QCOMPARE(pyramid.size(), std::size_t(0));
        QVERIFY(same(pyramid.range(0, 10), {}));
        QCOMPARE(pyramid.firstFinite(0, 10), MinMaxPyramid::npos);
        QCOMPARE(pyramid.lastFinite(0, 10), MinMaxPyramid::npos);
    }

    void everyRangeOfAShortSeriesIsExact()
    {
        for (const std::size_t size : {1U, 2U, 15U, 16U, 17U, 33U, 255U, 256U, 257U, 300U}) {
            const std::vector<float> values = spottedSeries(size, 7);
            const MinMaxPyramid pyramid = pyramidOf(values);
            for (std::size_t first = 0; first <= size + 1; ++first)
                for (std::size_t end = 0; end <= size + 1; ++end) {
                    QVERIFY(same(pyramid.range(first, end), plainRange(values, first, end)));
                    QCOMPARE(pyramid.firstFinite(first, end), plainFirstFinite(values, first, end));
                    QCOMPARE(pyramid.lastFinite(first, end), plainLastFinite(values, first, end));
                }
        }
    }

    void rangesOfALongSeriesAreExactHoweverItArrives_data()
    {
        QTest::addColumn<std::size_t>("piece");
        for (const std::size_t piece : {1U, 7U, 16U, 4096U, 5000U, 200'000U})
            QTest::addRow("pieces of %zu", piece) << piece;
    }

    void rangesOfALongSeriesAreExactHoweverItArrives()
    {
        QFETCH(std::size_t, piece);
        const std::vector<float> values = spottedSeries(70'001, 11);
        MinMaxPyramid pyramid;
        for (std::size_t first = 0; first < values.size(); first += piece)
            pyramid.append(
                std::span(values).subspan(first, std::min(piece, values.size() - first)));
        QCOMPARE(pyramid.size(), values.size());

        std::mt19937 random(3);
        for (int i = 0; i < 300; ++i) {
            const std::size_t first = random() % values.size();
            const std::size_t end = first + random() % (values.size() - first + 2);
            QVERIFY(same(pyramid.range(first, end), plainRange(values, first, end)));
            QCOMPARE(pyramid.firstFinite(first, end), plainFirstFinite(values, first, end));
            QCOMPARE(pyramid.lastFinite(first, end), plainLastFinite(values, first, end));
        }
        QVERIFY(same(pyramid.range(0, values.size()), plainRange(values, 0, values.size())));
    }

    void everyPrefixIsExactWhileItGrows()
    {
        const std::vector<float> values = spottedSeries(5000, 5);
        MinMaxPyramid pyramid;
        for (std::size_t i = 0; i < values.size(); ++i) {
            pyramid.append(std::span(values).subspan(i, 1));
            if (i % 37 == 0)
                QVERIFY(same(pyramid.range(0, i + 1), plainRange(values, 0, i + 1)));
            QVERIFY(same(pyramid.range(i / 2, i + 1), plainRange(values, i / 2, i + 1)));
        }
    }

    void oneSpikeIsNeverLost()
    {
        std::vector<float> values(200'000, 5);
        values[123'456] = 80;
        const MinMaxPyramid pyramid = pyramidOf(values);
        QCOMPARE(pyramid.range(0, values.size()).maximum, 80.0F);
        QCOMPARE(pyramid.range(123'456, 123'457).maximum, 80.0F);
        QCOMPARE(pyramid.range(123'457, values.size()).maximum, 5.0F);
        QCOMPARE(pyramid[123'456], 80.0F);
    }

    void clearForgetsEverything()
    {
        MinMaxPyramid pyramid = pyramidOf(spottedSeries(5000, 1));
        pyramid.clear();
        QCOMPARE(pyramid.size(), std::size_t(0));
        const std::vector<float> values{3, 1, 2};
        pyramid.append(values);
        QVERIFY(same(pyramid.range(0, 5000), {1, 3, 3, 0}));
    }
};

QTEST_APPLESS_MAIN(MinMaxPyramidTest)
#include "tst_min_max_pyramid.moc"
