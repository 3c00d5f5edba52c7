// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/run_style.h"

#include <QTest>

#include <cmath>

using namespace fullbatch;

namespace {

constexpr double visibleCurve = 3; // WCAG 2.1, section 1.4.11: graphics
constexpr double legibleText = 4.5; // WCAG 2.1, section 1.4.3: text
constexpr int differentGrey = 20; // of 255; half of it is still seen on a laser print

bool differInGrey(const RunStyle& first, const RunStyle& second, bool dark)
{
    const int distance = qGray(first.colour(dark).rgb()) - qGray(second.colour(dark).rgb());
    return std::abs(distance) >= differentGrey || first.dashes != second.dashes;
}

QPalette paletteOf(const QColor& background, const QColor& text)
{
    QPalette palette;
    palette.setColor(QPalette::Base, background);
    palette.setColor(QPalette::Text, text);
    return palette;
}

} // namespace

class TestRunStyle : public QObject
{
    Q_OBJECT

private slots:
    void contrastOfKnownColours();
    void contrastFailsOnEqualColours();
    void noTwoShareColourAndDash();
    void neighboursDifferInGrey();
    void greyCheckFailsOnTwins();
    void curvesStandOut();
    void textIsLegible_data();
    void textIsLegible();
};

void TestRunStyle::contrastOfKnownColours()
{
    QVERIFY(std::abs(contrastRatio(Qt::black, Qt::white) - 21) < 1e-9);
    // The textbook pair: #767676 is the lightest grey that passes 4.5 on white.
    QVERIFY(contrastRatio(QColor(0x76, 0x76, 0x76), Qt::white) >= legibleText);
    QVERIFY(contrastRatio(QColor(0x77, 0x77, 0x77), Qt::white) < legibleText);
}

void TestRunStyle::contrastFailsOnEqualColours()
{
    QCOMPARE(contrastRatio(Qt::darkBlue, Qt::darkBlue), 1.0);
}

void TestRunStyle::noTwoShareColourAndDash()
{
    for (int first = 0; first < 48; ++first)
        for (int second = first + 1; second < 48; ++second) {
            const RunStyle one = runStyle(first);
            const RunStyle other = runStyle(second);
            QVERIFY2(one.onLight != other.onLight || one.dashes != other.dashes,
                     qPrintable(QString("%1 and %2").arg(first).arg(second)));
            if (second < 12)
                QVERIFY(one.onLight != other.onLight && one.onDark != other.onDark);
        }
}

void TestRunStyle::neighboursDifferInGrey()
{
    for (int index = 0; index < 11; ++index)
        for (const bool dark : {false, true})
            QVERIFY2(differInGrey(runStyle(index), runStyle(index + 1), dark),
                     qPrintable(QString("%1 dark %2").arg(index).arg(dark)));
}

void TestRunStyle::greyCheckFailsOnTwins()
{
    QVERIFY(!differInGrey(runStyle(3), runStyle(3), false));
    QVERIFY(!differInGrey(runStyle(3), runStyle(3), true));
}

void TestRunStyle::curvesStandOut()
{
    for (int index = 0; index < 12; ++index) {
        QVERIFY2(contrastRatio(runStyle(index).onLight, Qt::white) >= visibleCurve,
                 qPrintable(QString::number(index)));
        for (const QColor background : {QColor(0x19, 0x19, 0x19), QColor(0x2b, 0x2b, 0x2b)})
            QVERIFY2(contrastRatio(runStyle(index).onDark, background) >= visibleCurve,
                     qPrintable(QString::number(index)));
    }
}

void TestRunStyle::textIsLegible_data()
{
    QTest::addColumn<QColor>("background");
    QTest::addColumn<QColor>("text");
    QTest::newRow("light") << QColor(Qt::white) << QColor(Qt::black);
    QTest::newRow("dark") << QColor(0x19, 0x19, 0x19) << QColor(0xee, 0xee, 0xee);
    QTest::newRow("careless light theme") << QColor(Qt::white) << QColor(0xaa, 0xaa, 0xaa);
    QTest::newRow("careless dark theme") << QColor(0x20, 0x20, 0x20) << QColor(0x50, 0x50, 0x50);
    QTest::newRow("middle grey") << QColor(0x80, 0x80, 0x80) << QColor(0x90, 0x90, 0x90);
}

void TestRunStyle::textIsLegible()
{
    QFETCH(QColor, background);
    QFETCH(QColor, text);
    const ChartColours theme = ChartColours::of(paletteOf(background, text));
    QVERIFY(contrastRatio(theme.text, theme.background) >= legibleText);
    QVERIFY(contrastRatio(theme.text, theme.readout) >= legibleText);
}

QTEST_APPLESS_MAIN(TestRunStyle)
#include "tst_run_style.moc"
