// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/number_text.h"
#include "ui/parts/widths_text.h"

#include <QtTest>

#include <cmath>
#include <limits>

namespace fullbatch {

using Widths = std::vector<std::int64_t>;

class TestNumberText : public QObject
{
    Q_OBJECT

private slots:
    void real_data();
    void real();
    void realRefuses_data();
    void realRefuses();
    void extremes();
    void realTextReadsBack_data();
    void realTextReadsBack();
    void whole_data();
    void whole();
    void wholeRefuses_data();
    void wholeRefuses();
    void widths_data();
    void widths();
    void widthsRefuse_data();
    void widthsRefuse();
    void depthChanges();
};

void TestNumberText::real_data()
{
    QTest::addColumn<QString>("locale");
    QTest::addColumn<QString>("text");
    QTest::addColumn<double>("value");
    for (const char* const locale : {"C", "en_US", "de_DE", "fr_FR", "zh_CN"}) {
        const auto row = [&](const char* text, double value) {
            QTest::addRow("%s %s", locale, text)
                << QString::fromLatin1(locale) << QString::fromUtf8(text) << value;
        };
        row("0.0025", 0.0025);
        row("2.5e-3", 2.5e-3);
        row("2.5E-3", 2.5e-3);
        row(" 1e-05 ", 1e-05);
        row("0.00001", 0.00001);
        row("+0.5", 0.5);
        row(".5", 0.5);
        row("-1", -1);
        row("\u22121", -1);
        row("0.1000000000000000055", 0.1);
        row("1e999", std::numeric_limits<double>::infinity());
        row("1.500", 1.5);
    }
    QTest::newRow("de comma") << QStringLiteral("de_DE") << QStringLiteral("0,0025") << 0.0025;
    QTest::newRow("de exponent") << QStringLiteral("de_DE") << QStringLiteral("2,5e-3") << 0.0025;
    QTest::newRow("fr comma") << QStringLiteral("fr_FR") << QStringLiteral("0,0025") << 0.0025;
}

void TestNumberText::real()
{
    QFETCH(QString, locale);
    QFETCH(QString, text);
    QFETCH(double, value);
    const auto read = realFromText(text, QLocale(locale));
    QVERIFY(read.has_value());
    QVERIFY2(*read == value, qPrintable(QString::number(*read, 'g', 17))); // exactly
}

void TestNumberText::realRefuses_data()
{
    QTest::addColumn<QString>("locale");
    QTest::addColumn<QString>("text");
    for (const char* const text :
         {"", " ", "abc", "1,5", "1.5.2", "1e", "0x10", "1 000", "2.5e-3x", "--1", "1,000.5"})
        QTest::addRow("C %s", text) << QStringLiteral("C") << QString::fromLatin1(text);
    for (const char* const text : {"1.000,5", "1,5,2", "1,2.3"})
        QTest::addRow("de %s", text) << QStringLiteral("de_DE") << QString::fromLatin1(text);
}

void TestNumberText::realRefuses()
{
    QFETCH(QString, locale);
    QFETCH(QString, text);
    QVERIFY(!realFromText(text, QLocale(locale)).has_value());
}

void TestNumberText::extremes()
{
    // Read as what they are, so that the range check can name the range.
    QVERIFY(std::isnan(realFromText(QStringLiteral("nan"), QLocale::c()).value()));
    QVERIFY(std::isinf(realFromText(QStringLiteral("inf"), QLocale::c()).value()));
    QCOMPARE(realFromText(QStringLiteral("-1e999"), QLocale::c()).value(),
             -std::numeric_limits<double>::infinity());
    QCOMPARE(realFromText(QStringLiteral("1e-999"), QLocale::c()).value(), 0.0);
    QCOMPARE(realFromText(QStringLiteral("4.9e-324"), QLocale::c()).value(), 4.9e-324);
}

void TestNumberText::realTextReadsBack_data()
{
    QTest::addColumn<double>("value");
    for (const double value : {0.0025, 1e-5, 1e-300, 0.1, 1.0 / 3, 123456.789, 0.9, 1e22})
        QTest::addRow("%g", value) << value;
}

void TestNumberText::realTextReadsBack()
{
    QFETCH(double, value);
    for (const char* const name : {"C", "de_DE", "zh_CN"}) {
        const QLocale locale(QString::fromLatin1(name));
        const QString text = realText(value, locale);
        QVERIFY2(text != QLatin1String("0"), qPrintable(text));
        QVERIFY2(realFromText(text, locale).value() == value, qPrintable(text));
    }
    QCOMPARE(realText(0.0025, QLocale::c()), QStringLiteral("0.0025"));
    QCOMPARE(realText(0.0025, QLocale(QStringLiteral("de_DE"))), QStringLiteral("0,0025"));
}

void TestNumberText::whole_data()
{
    QTest::addColumn<QString>("locale");
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("value");
    for (const char* const locale : {"C", "en_US", "de_DE", "zh_CN"}) {
        const auto row = [&](const char* text, qint64 value) {
            QTest::addRow("%s %s", locale, text)
                << QString::fromLatin1(locale) << QString::fromUtf8(text) << value;
        };
        row("200000", 200'000);
        row("200 000", 200'000);
        row("200\u00a0000", 200'000);
        row("1_000_000", 1'000'000);
        row("2e5", 200'000);
        row("0", 0);
        row("-7", -7);
        row("1000000000000", 1'000'000'000'000);
        row("99999999999999999999", std::numeric_limits<qint64>::max());
        row("1e400", std::numeric_limits<qint64>::max());
        row("9007199254740993", 9'007'199'254'740'993);
    }
    QTest::newRow("C groups") << QStringLiteral("C") << QStringLiteral("1,200,000")
                              << qint64(1'200'000);
    QTest::newRow("de groups") << QStringLiteral("de_DE") << QStringLiteral("200.000")
                               << qint64(200'000);
}

void TestNumberText::whole()
{
    QFETCH(QString, locale);
    QFETCH(QString, text);
    QFETCH(qint64, value);
    const auto read = wholeFromText(text, QLocale(locale));
    QVERIFY(read.has_value());
    QCOMPARE(*read, value);
}

void TestNumberText::wholeRefuses_data()
{
    QTest::addColumn<QString>("locale");
    QTest::addColumn<QString>("text");
    for (const char* const text :
         {"", "1.5", "200.000", "2,00", "1,0000", "1e-3", "x", "1e", "nan"})
        QTest::addRow("C %s", text) << QStringLiteral("C") << QString::fromLatin1(text);
    for (const char* const text : {"200,000", "1,5", "20.00"})
        QTest::addRow("de %s", text) << QStringLiteral("de_DE") << QString::fromLatin1(text);
}

void TestNumberText::wholeRefuses()
{
    QFETCH(QString, locale);
    QFETCH(QString, text);
    QVERIFY(!wholeFromText(text, QLocale(locale)).has_value());
}

void TestNumberText::widths_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<Widths>("expected");
    QTest::newRow("one") << QStringLiteral("298") << Widths{298};
    QTest::newRow("list") << QStringLiteral("63, 31,15") << Widths{63, 31, 15};
    QTest::newRow("dashes") << QStringLiteral("63-31") << Widths{63, 31};
    QTest::newRow("blanks") << QStringLiteral(" 63  31 ") << Widths{63, 31};
    QTest::newRow("times") << QStringLiteral("4 x 63") << Widths{63, 63, 63, 63};
    QTest::newRow("times sign") << QStringLiteral("2\u00d763") << Widths{63, 63};
    QTest::newRow("mixed") << QStringLiteral("2 x 100, 50") << Widths{100, 100, 50};
    QTest::newRow("none") << QStringLiteral("none") << Widths{};
    QTest::newRow("empty") << QString() << Widths{};
    QTest::newRow("zero is judged elsewhere") << QStringLiteral("0") << Widths{0};
}

void TestNumberText::widths()
{
    QFETCH(QString, text);
    QFETCH(Widths, expected);
    const auto read = widthsFromText(text);
    QVERIFY(read.has_value());
    QCOMPARE(*read, expected);
}

void TestNumberText::widthsRefuse_data()
{
    QTest::addColumn<QString>("text");
    for (const char* const text : {"x", "4 x", "x 63", "63,", "63,,31", "63.5", "4 x 63 x 2",
                                   "100001 x 1", "1 x 2 3", "9999999999999999999999 x 1", "-5"})
        QTest::addRow("%s", text) << QString::fromLatin1(text);
}

void TestNumberText::widthsRefuse()
{
    QFETCH(QString, text);
    QVERIFY(!widthsFromText(text).has_value());
}

void TestNumberText::depthChanges()
{
    QCOMPARE(withDepth({63, 31}, 3), (Widths{63, 31, 31}));
    QCOMPARE(withDepth({63, 31}, 1), (Widths{63}));
    QCOMPARE(withDepth({63, 31}, 0), Widths());
    QCOMPARE(withDepth({}, 2), (Widths{1, 1}));
}

} // namespace fullbatch

QTEST_APPLESS_MAIN(fullbatch::TestNumberText)
#include "tst_number_text.moc"
