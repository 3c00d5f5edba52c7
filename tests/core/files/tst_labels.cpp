// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/labels.h"

#include "core/data/dataset.h"

#include <QTest>

#include <limits>

using namespace fullbatch;

namespace {

RawLabels rows(std::vector<double> values)
{
    return {std::move(values), [](std::size_t row) { return "row " + std::to_string(row); }};
}

/// 0 .. classes-1, `each` times.
std::vector<double> evenly(int classes, int each)
{
    std::vector<double> values;
    for (int index = 0; index < classes * each; ++index)
        values.push_back(index % classes);
    return values;
}

QString complaint(const std::vector<double>& train, const std::vector<double>& test = {})
{
    try {
        (void)countClasses(rows(train), rows(test));
    } catch (const DataError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class TestLabels : public QObject
{
    Q_OBJECT

private slots:
    void largestLabelAndOne()
    {
        QCOMPARE(countClasses(rows({0, 1, 2}), rows({})), 3);
        QCOMPARE(countClasses(rows({0, 0}), rows({0})), 1);
        QCOMPARE(countClasses(rows({0, 9, 9}), rows({7})), 10);
        QCOMPARE(countClasses(rows(evenly(1500, 1)), rows({})), 1500);
        QCOMPARE(integerLabels(rows({2, 0, 1})), (std::vector<std::int32_t>{2, 0, 1}));
    }

    void aMissingClassIsAccepted()
    {
        std::vector<double> values = evenly(10, 400);
        std::erase(values, 7.0);
        QCOMPARE(countClasses(rows(values), rows(evenly(10, 10))), 10);
    }

    void aRareClassIsAccepted()
    {
        std::vector<double> values = evenly(4, 1000);
        values.insert(values.end(), 24, 4.0); // 24 of 4,024 rows
        QCOMPARE(countClasses(rows(values), rows({})), 5);
    }

    void refuses_data()
    {
        QTest::addColumn<std::vector<double>>("train");
        QTest::addColumn<std::vector<double>>("test");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const std::vector<double>& train,
                            const std::vector<double>& test, const char* expected) {
            QTest::newRow(name) << train << test << QString(expected);
        };
        row("-1", {0, 1, -1}, {},
            "row 2 has the label -1; labels must be whole numbers, here 0 to 1");
        row("3.5", {0, 3.5, 1}, {},
            "row 1 has the label 3.5; labels must be whole numbers, here 0 to 1");
        row("nan", {0, std::numeric_limits<double>::quiet_NaN()}, {},
            "row 1 has the label nan; labels must be whole numbers, here 0 to 0");
        row("inf", {0, std::numeric_limits<double>::infinity()}, {},
            "row 1 has the label inf; labels must be whole numbers, here 0 to 0");
        row("1 to 3", {1, 3, 2}, {},
            "row 1 has the label 3; labels must start at 0, but the smallest one is 1: subtract it "
            "from each label");
        row("test above", {0, 1}, {0, 2},
            "row 1 has the label 2; the training labels go 0 to 1, and no test label may be "
            "larger");
        row("test -1", {0, 1}, {-1},
            "row 0 has the label -1; labels must be whole numbers, here 0 to 1");
        row("1e6", {0, 1, 1e6}, {},
            "row 2 has the label 1000000; labels must be smaller than the number of training rows, "
            "here 0 to 2");
        row("1e300", {0, 1e300}, {},
            "row 1 has the label 1e+300; labels must be smaller than the number of training rows, "
            "here 0 to 1");
        row("none", {}, {}, "it has no training rows; there must be at least one");
        std::vector<double> stray = evenly(10, 400);
        stray[17] = 10;
        row("one row of 10", stray, {},
            "row 17 has the label 10; only 1 of 4000 rows have it, too few for a class: labels "
            "must be 0 to 9");
    }
    void refuses()
    {
        QFETCH(std::vector<double>, train);
        QFETCH(std::vector<double>, test);
        QFETCH(QString, expected);
        QCOMPARE(complaint(train, test), expected);
    }
};

QTEST_APPLESS_MAIN(TestLabels)
#include "tst_labels.moc"
