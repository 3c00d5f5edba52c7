// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/speed_meter.h"

#include <QTest>

#include <cmath>
#include <limits>

using namespace fullbatch;

class SpeedMeterTest : public QObject
{
    Q_OBJECT

private slots:
    void thereIsNoSpeedBeforeTheFirstChunk()
    {
        const Speed speed = SpeedMeter().speed();
        QCOMPARE(speed.epochsPerSecond, 0.0);
        QCOMPARE(speed.trainingSeconds, 0.0);
        QVERIFY(std::isinf(secondsLeft(speed, 10)));
        QCOMPARE(secondsLeft(speed, 0), 0.0);
    }

    void oneChunkGivesItsOwnSpeed()
    {
        SpeedMeter meter;
        meter.add(50, 0.25);
        QCOMPARE(meter.speed().epochsPerSecond, 200.0);
        QCOMPARE(meter.speed().trainingSeconds, 0.25);
        QCOMPARE(secondsLeft(meter.speed(), 1000), 5.0);
    }

    void onlyTheRecentPastCounts()
    {
        SpeedMeter meter;
        for (int chunk = 0; chunk < 1000; ++chunk)
            meter.add(1, 0.25); // 250 s at 4 epochs/s
        for (int chunk = 0; chunk < 8; ++chunk)
            meter.add(25, 0.5); // 4 s at 50 epochs/s, more than the window
        QCOMPARE(meter.speed().epochsPerSecond, 50.0);
        QCOMPARE(meter.speed().trainingSeconds, 254.0);
    }

    void aNewPaceWeighsAsMuchAsItsShareOfTheWindow()
    {
        SpeedMeter meter;
        for (int chunk = 0; chunk < 100; ++chunk)
            meter.add(10, 0.25); // 40 epochs/s
        for (int chunk = 0; chunk < 6; ++chunk)
            meter.add(20, 0.25); // 80 epochs/s for half of the window
        QCOMPARE(meter.speed().epochsPerSecond, 60.0);
    }

    void chunksLongerThanTheWindowCountAlone()
    {
        SpeedMeter meter;
        meter.add(1, 10);
        meter.add(1, 5);
        QCOMPARE(meter.speed().epochsPerSecond, 0.2);
        QCOMPARE(meter.speed().trainingSeconds, 15.0);
    }

    void aMillionTinyChunksAddUp()
    {
        SpeedMeter meter;
        for (int chunk = 0; chunk < 1'000'000; ++chunk)
            meter.add(4, 0x1p-18);
        QCOMPARE(meter.speed().epochsPerSecond, 0x1p20);
        QCOMPARE(meter.speed().trainingSeconds, 1'000'000 * 0x1p-18);
    }

    void chunksWithoutMeasurableTimeGiveNoInfiniteSpeed()
    {
        SpeedMeter meter;
        meter.add(5, 0);
        QCOMPARE(meter.speed().epochsPerSecond, 0.0);
        meter.add(5, 0.5);
        QCOMPARE(meter.speed().epochsPerSecond, 20.0);
    }
};

QTEST_APPLESS_MAIN(SpeedMeterTest)
#include "tst_speed_meter.moc"
