// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/automatic_range.h"
#include "ui/chart/axis_ticks.h"

#include <QSet>
#include <QTest>

#include <cmath>

using namespace fullbatch;

namespace {

QStringList labelsOf(const std::vector<AxisTick>& ticks)
{
    QStringList labels;
    for (const AxisTick& tick : ticks)
        labels.push_back(tick.label);
    return labels;
}

// What a category axis needs: rising positions within the range, every label once.
bool fitAxis(const std::vector<AxisTick>& ticks, AxisRange range)
{
    QSet<QString> labels;
    double last = -HUGE_VAL;
    for (const AxisTick& tick : ticks) {
        if (!(tick.position > last) || labels.contains(tick.label))
            return false;
        if (tick.position < range.from - 1e-6 || tick.position > range.to + 1e-6 * range.length())
            return false;
        last = tick.position;
        labels.insert(tick.label);
    }
    return ticks.size() >= 2;
}

RunCurve::Extent extentOf(std::initializer_list<float> values)
{
    RunCurve::Extent extent;
    for (const float value : values)
        extent.include(value);
    return extent;
}

} // namespace

class TestAxisTicks : public QObject
{
    Q_OBJECT

private slots:
    void labels_data();
    void labels();
    void everyRangeHasTicks();
    void fitFailsOnTwins();
    void roundsUp();
    void growsInFewSteps();
    void zeroHasItsOwnLine();
    void scaleInverts();
    void rangeFollowsErrors();
};

void TestAxisTicks::labels_data()
{
    QTest::addColumn<QStringList>("actual");
    QTest::addColumn<QString>("expected");
    QTest::newRow("percent") << labelsOf(linearTicks({0, 100}, 6)) << "0 20 40 60 80 100";
    QTest::newRow("loss") << labelsOf(linearTicks({0, 2.5}, 6)) << "0.0 0.5 1.0 1.5 2.0 2.5";
    QTest::newRow("small") << labelsOf(linearTicks({0, 0.02}, 5))
                           << "0.000 0.005 0.010 0.015 0.020";
    QTest::newRow("epochs") << labelsOf(epochTicks({0, 500'000}, 6))
                            << "0 100,000 200,000 300,000 400,000 500,000";
    QTest::newRow("few epochs") << labelsOf(epochTicks({3.5, 6.2}, 10)) << "4 5 6";
    QTest::newRow("a million") << labelsOf(epochTicks({0, 2e6}, 3)) << "0 1,000,000 2,000,000";
    QTest::newRow("decades") << labelsOf(logarithmicTicks({-2, 2}, -9, 8)) << "0.01 0.1 1 10 100";
    QTest::newRow("deep") << labelsOf(logarithmicTicks({-9, 0}, -99, 10))
                          << "10⁻⁹ 10⁻⁸ 10⁻⁷ 10⁻⁶ 10⁻⁵ 0.0001 0.001 0.01 0.1 1";
    QTest::newRow("two decades") << labelsOf(logarithmicTicks({0, 2}, -9, 8))
                                 << "1 2 5 10 20 50 100";
    QTest::newRow("with zero") << labelsOf(logarithmicTicks({-2.5, 2}, -2.4, 8))
                               << "0 0.01 0.1 1 10 100";
    QTest::newRow("within a decade")
        << labelsOf(logarithmicTicks({std::log10(82), std::log10(88)}, -9, 4)) << "82 84 86 88";
}

void TestAxisTicks::labels()
{
    QFETCH(QStringList, actual);
    QFETCH(QString, expected);
    QCOMPARE(actual.join(' '), expected);
}

void TestAxisTicks::everyRangeHasTicks()
{
    for (int power = -14; power < 28; ++power) {
        const double length = std::pow(2.7, power);
        for (const double from : {0.0, 0.3 * length, -length / 3}) {
            const AxisRange range{from, from + length};
            QVERIFY2(fitAxis(linearTicks(range, 6), range), qPrintable(QString::number(length)));
            if (length >= 4)
                QVERIFY(fitAxis(epochTicks(range, 6), range));
        }
    }
    for (int low = -120; low < 30; low += 4)
        for (const double length : {0.05, 0.1, 0.2, 0.4, 0.7, 1.3, 2.0, 2.5, 4.0, 9.0, 18.0}) {
            const AxisRange range{low / 10.0, low / 10.0 + length};
            QVERIFY2(fitAxis(logarithmicTicks(range, -99, 6), range),
                     qPrintable(QString("%1 + %2").arg(low).arg(length)));
        }
}

void TestAxisTicks::fitFailsOnTwins()
{
    QVERIFY(!fitAxis({{0, "0"}, {1, "0"}}, {0, 1}));
    QVERIFY(!fitAxis({{1, "1"}, {0, "0"}}, {0, 1}));
    QVERIFY(!fitAxis({{0, "0"}, {2, "2"}}, {0, 1}));
}

void TestAxisTicks::roundsUp()
{
    QCOMPARE(roundedUp(90.05), 100.0);
    QCOMPARE(roundedUp(200'000), 200'000.0);
    QCOMPARE(roundedUp(2.303), 2.5);
    QCOMPARE(roundedUp(0.0251), 0.03);
    QCOMPARE(roundedUp(1.0), 1.0);
}

void TestAxisTicks::growsInFewSteps()
{
    QSet<double> ends;
    for (std::size_t epochs = 1; epochs <= 500'000; epochs += 97)
        ends.insert(automaticEpochs(epochs).to);
    QVERIFY2(ends.size() <= 48, qPrintable(QString::number(ends.size())));
}

void TestAxisTicks::zeroHasItsOwnLine()
{
    const RunCurve::Extent extent = extentOf({90, 0.025F, 0});
    const AutomaticValues values = automaticValues(extent, Quantity::TrainingError, true);
    const double zero = values.scale.position(0);
    QVERIFY(zero > values.range.from);
    QVERIFY(zero < values.scale.position(0.025) - 0.05 * values.range.length());
    const AutomaticValues without =
        automaticValues(extentOf({90, 0.025F}), Quantity::TrainingError, true);
    QVERIFY(without.scale.position(0) < without.range.from);
}

void TestAxisTicks::scaleInverts()
{
    const ValueScale logarithmic{true, -3};
    for (const double value : {0.0, 0.01, 1.0, 90.0})
        QVERIFY(std::abs(logarithmic.value(logarithmic.position(value)) - value) < 1e-12);
    QCOMPARE(ValueScale().position(-2), -2.0);
}

void TestAxisTicks::rangeFollowsErrors()
{
    const auto top = [](std::initializer_list<float> values) {
        return automaticValues(extentOf(values), Quantity::TrainingError, false).range.to;
    };
    QCOMPARE(top({}), 100.0);
    QCOMPARE(top({90.05F, 12}), 100.0);
    QCOMPARE(top({12, 3}), 15.0);
    QCOMPARE(top({80, 3}), 100.0);
    QCOMPARE(top({0, 0}), 100.0);
    QCOMPARE(top({std::nanf(""), HUGE_VALF, 7}), 8.0);
}

QTEST_APPLESS_MAIN(TestAxisTicks)
#include "tst_axis_ticks.moc"
