// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/csv_number.h"

#include <QTest>

#include <cmath>

using namespace fullbatch;

namespace {

double valueOf(std::string_view field, bool commaAllowed = false)
{
    double value = -77;
    return CsvNumbers(commaAllowed).read(field, value) == NumberProblem::None ? value : -77;
}

NumberProblem problemOf(std::string_view field, bool commaAllowed = false)
{
    double value = 0;
    return CsvNumbers(commaAllowed).read(field, value);
}

} // namespace

class TestCsvNumber : public QObject
{
    Q_OBJECT

private slots:
    void plainNumbers()
    {
        QVERIFY(valueOf("-0.3320056674") == -0.3320056674);
        QVERIFY(valueOf("3.0") == 3 && valueOf("+2") == 2 && valueOf("7") == 7);
        QVERIFY(valueOf("2.5E-3") == 0.0025 && valueOf(".5") == 0.5 && valueOf("1.") == 1);
        QVERIFY(std::isnan(valueOf("nan")) && std::isinf(valueOf("-inf")));
        QVERIFY(std::signbit(valueOf("-0")));
    }

    void commas()
    {
        QVERIFY(valueOf("-0,25", true) == -0.25);
        QVERIFY(problemOf("-0,25") == NumberProblem::NotANumber);
        QVERIFY(problemOf("1,234,5", true) == NumberProblem::NotANumber);
        QVERIFY(problemOf("1.234,5", true) == NumberProblem::NotANumber);
        CsvNumbers numbers(true);
        double value = 0;
        QVERIFY(numbers.decimalMark() == 0);
        QVERIFY(numbers.read("3", value) == NumberProblem::None && numbers.decimalMark() == 0);
        QVERIFY(numbers.read("0,5", value) == NumberProblem::None && numbers.decimalMark() == ',');
        QVERIFY(numbers.read("0.5", value) == NumberProblem::MixedDecimals);
    }

    void beyondTheRange()
    {
        QVERIFY(problemOf("1e400") == NumberProblem::TooLarge);
        QVERIFY(problemOf("-1e400") == NumberProblem::TooLarge);
        QVERIFY(problemOf(std::string(400, '9')) == NumberProblem::TooLarge);
        QVERIFY(valueOf("1e-400") == 0);
        QVERIFY(valueOf("0." + std::string(400, '0') + "1") == 0);
    }

    void whatIsNoNumber()
    {
        for (const char* field : {"", "NA", "abc", "1x", "0x10", "1 2", "--1", "+-1", "1e", "e5"})
            QVERIFY2(problemOf(field) == NumberProblem::NotANumber, field);
    }

    void whatLooksLikeOne()
    {
        for (const char* field : {"", "NA", "NaN", "null", "-inf", "1,5", "2e3", "1e400"})
            QVERIFY2(isNumberLike(field), field);
        for (const char* field : {"x0", "label", "pixel 1", "nano"})
            QVERIFY2(!isNumberLike(field), field);
    }
};

QTEST_APPLESS_MAIN(TestCsvNumber)
#include "tst_csv_number.moc"
