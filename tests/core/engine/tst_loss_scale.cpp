// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/loss_scale.h"

#include <QtTest>

using namespace fullbatch;

/// The rule of fp16's loss scale, step by step.
class TestLossScale : public QObject
{
    Q_OBJECT

private slots:
    void growsAfterManySteps()
    {
        LossScale scale{initialLossScale};
        for (unsigned int step = 1; step < stepsToGrow; ++step) {
            QVERIFY(scale.takesStep(true));
            QCOMPARE(scale.cleanSteps, std::uint64_t{step});
            QCOMPARE(scale.scale, initialLossScale);
        }
        QVERIFY(scale.takesStep(true));
        QCOMPARE(scale.scale, 2 * initialLossScale);
        QCOMPARE(scale.cleanSteps, std::uint64_t{0});
        QCOMPARE(scale.skippedSteps, std::uint64_t{0});
    }

    void halvesAndCountsAnew()
    {
        LossScale scale{1024, 1999, 3};
        QVERIFY(!scale.takesStep(false));
        QCOMPARE(scale.scale, 512.0F);
        QCOMPARE(scale.cleanSteps, std::uint64_t{0});
        QCOMPARE(scale.skippedSteps, std::uint64_t{4});
        QVERIFY(!scale.exhausted);
        QVERIFY(scale.takesStep(true));
        QCOMPARE(scale.cleanSteps, std::uint64_t{1});
    }

    void hasBounds()
    {
        LossScale large{largestLossScale, stepsToGrow};
        QVERIFY(large.takesStep(true));
        QCOMPARE(large.scale, largestLossScale);
        LossScale small{initialLossScale};
        int halvings = 0;
        while (!small.exhausted) {
            QVERIFY(!small.takesStep(false));
            ++halvings;
        }
        QCOMPARE(halvings, 31); // from 2^16 to 2^-14, and once more
        QCOMPARE(small.scale, smallestLossScale);
    }
};

QTEST_APPLESS_MAIN(TestLossScale)
#include "tst_loss_scale.moc"
