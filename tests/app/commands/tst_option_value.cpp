// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/option_value.h"
#include "app/terminal/grouped_number.h"
#include "app/terminal/usage_error.h"

#include <QTest>

using namespace fullbatch;

/// Numbers as typed on the command line; wrong ones are in tst_bad_usage.
class TestOptionValue : public QObject
{
    Q_OBJECT

private slots:
    void realNumbers();
    void wholeNumbers();
    void widths();
    void sentence();
    void groups();
};

void TestOptionValue::realNumbers()
{
    QCOMPARE(realNumber("--x", "0.0025", ""), 0.0025);
    QCOMPARE(realNumber("--x", "2.5E-3", ""), 0.0025);
    QCOMPARE(realNumber("--x", ".5", ""), 0.5);
    QCOMPARE(realNumber("--x", "+1e3", ""), 1000.0);
    QCOMPARE(realNumber("--x", "-4", ""), -4.0);
    QCOMPARE(realNumber("--x", "4.9406564584124654e-324", ""), 4.9406564584124654e-324);
    QCOMPARE(realNumber("--x", " 1e-05 ", ""), 1e-05);
    for (const char* wrong : {"", " ", "1 2", "+-1", "--1", "0x10", "1,5", "infinity", "1e", "NaN"})
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(realNumber("--x", wrong, "")), UsageError);
}

void TestOptionValue::wholeNumbers()
{
    QCOMPARE(wholeNumber("--x", "0", ""), 0);
    QCOMPARE(wholeNumber("--x", "+7", ""), 7);
    QCOMPARE(wholeNumber("--x", "-9223372036854775808", ""),
             std::int64_t{-9223372036854775807} - 1);
    for (const char* wrong : {"", "1.0", "1e3", "0x10", "9223372036854775808", "1,000", "+-1", "+"})
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(wholeNumber("--x", wrong, "")), UsageError);
}

void TestOptionValue::widths()
{
    QCOMPARE(widthList("--widths", "63"), std::vector<std::int64_t>{63});
    QCOMPARE(widthList("--widths", "1,298,3"), (std::vector<std::int64_t>{1, 298, 3}));
    QCOMPARE(widthList("--widths", "63, 31"), (std::vector<std::int64_t>{63, 31}));
    for (const char* wrong : {"", ",", "63,", ",63", "6 3", "0", "63;63"})
        QVERIFY_EXCEPTION_THROWN(static_cast<void>(widthList("--widths", wrong)), UsageError);
}

void TestOptionValue::sentence()
{
    try {
        static_cast<void>(wholeNumber("--epochs", "1.5", "a whole number from 1"));
        QFAIL("Nothing was thrown.");
    } catch (const UsageError& error) {
        QCOMPARE(error.what(),
                 "--epochs: \"1.5\" is not a whole number; allowed is a whole number from 1.");
    }
}

void TestOptionValue::groups()
{
    QCOMPARE(grouped(0), std::string("0"));
    QCOMPARE(grouped(999), std::string("999"));
    QCOMPARE(grouped(1000), std::string("1,000"));
    QCOMPARE(grouped(-123456), std::string("-123,456"));
    QCOMPARE(grouped(-1234567), std::string("-1,234,567"));
}

QTEST_APPLESS_MAIN(TestOptionValue)
#include "tst_option_value.moc"
