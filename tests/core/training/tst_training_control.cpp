// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/training_control.h"

#include <QTest>

#include <limits>
#include <thread>

using namespace fullbatch;

/// One thread plays the person and, where nothing has to wait, the worker too.
class TrainingControlTest : public QObject
{
    Q_OBJECT

private slots:
    void aRunningWorkerGetsWhatItWants()
    {
        TrainingControl control(0.1);
        QVERIFY(!control.paused());
        QCOMPARE(control.waitForPermission(1000), std::uint64_t(1000));
        QVERIFY(!control.waiting());
    }

    void aStepIsGivenOutExactly()
    {
        TrainingControl control(0.1, true);
        QVERIFY(control.paused());
        control.step(5);
        QVERIFY(!control.paused());
        QCOMPARE(control.waitForPermission(3), std::uint64_t(3));
        control.consumed(3);
        QVERIFY(!control.paused());
        QCOMPARE(control.waitForPermission(1000), std::uint64_t(2));
        QVERIFY(!control.paused());
        control.consumed(2);
        QVERIFY(control.paused());
    }

    void stepsAddUp()
    {
        TrainingControl control(0.1, true);
        control.step();
        control.step(3);
        QCOMPARE(control.waitForPermission(1000), std::uint64_t(4));
        control.step(2); // while the first four are trained
        control.consumed(4);
        QCOMPARE(control.waitForPermission(1000), std::uint64_t(2));
    }

    void aStepAfterTheChunkInFlightIsWhole()
    {
        TrainingControl control(0.1);
        QCOMPARE(control.waitForPermission(64), std::uint64_t(64));
        control.step(2);
        control.consumed(64);
        QCOMPARE(control.waitForPermission(64), std::uint64_t(2));
    }

    void aStepShrinksByWhatWasTrainedOnly()
    {
        TrainingControl control(0.1, true);
        control.step(10);
        QCOMPARE(control.waitForPermission(10), std::uint64_t(10));
        control.consumed(4);
        QCOMPARE(control.waitForPermission(10), std::uint64_t(6));
    }

    void pauseDropsAStep()
    {
        TrainingControl control(0.1, true);
        control.step(10);
        QCOMPARE(control.waitForPermission(4), std::uint64_t(4));
        control.pause();
        QVERIFY(control.paused());
        control.step(3);
        control.consumed(4); // of the dropped step
        QCOMPARE(control.waitForPermission(10), std::uint64_t(3));
    }

    void resumeDropsAStep()
    {
        TrainingControl control(0.1, true);
        control.step(10);
        control.resume();
        QVERIFY(!control.paused());
        QCOMPARE(control.waitForPermission(64), std::uint64_t(64));
        control.consumed(64);
        control.pause();
        QVERIFY(control.paused());
    }

    void stopIsFinal()
    {
        TrainingControl control(0.1, true);
        control.stop();
        QVERIFY(control.stopRequested());
        QVERIFY(control.stopToken().stop_requested());
        control.resume();
        control.step(5);
        control.pause();
        control.setLearningRate(0.5);
        QCOMPARE(control.waitForPermission(10), std::uint64_t(0));
        QCOMPARE(control.learningRate(), 0.1);
    }

    void aWaitingWorkerWakes_data()
    {
        QTest::addColumn<int>("request");
        QTest::addColumn<quint64>("permitted");
        QTest::newRow("on resume") << 0 << quint64(8);
        QTest::newRow("on step") << 1 << quint64(1);
        QTest::newRow("on stop") << 2 << quint64(0);
    }

    void aWaitingWorkerWakes()
    {
        QFETCH(int, request);
        QFETCH(quint64, permitted);
        TrainingControl control(0.1, true);
        std::uint64_t given = 99;
        std::jthread worker([&] { given = control.waitForPermission(8); });
        while (!control.waiting())
            std::this_thread::yield();
        if (request == 0)
            control.resume();
        else if (request == 1)
            control.step();
        else
            control.stop();
        QVERIFY(!control.waiting());
        worker.join();
        QCOMPARE(quint64(given), permitted);
    }

    void onlyUsableRatesAreTaken()
    {
        TrainingControl control(0.1);
        QVERIFY(control.setLearningRate(0.25));
        for (const double rate : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN(),
                                  std::numeric_limits<double>::infinity()})
            QVERIFY(!control.setLearningRate(rate));
        QCOMPARE(control.learningRate(), 0.25);
    }

    void speedIsHandedOn()
    {
        TrainingControl control(0.1);
        QCOMPARE(control.speed().epochsPerSecond, 0.0);
        control.setSpeed({25, 4});
        QCOMPARE(control.speed().epochsPerSecond, 25.0);
        QCOMPARE(control.speed().trainingSeconds, 4.0);
    }
};

QTEST_APPLESS_MAIN(TrainingControlTest)
#include "tst_training_control.moc"
