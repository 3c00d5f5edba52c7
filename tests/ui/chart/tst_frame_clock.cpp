// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/chart/frame_clock.h"

#include <QSignalSpy>
#include <QTest>

using namespace fullbatch;
using std::chrono::milliseconds;

class TestFrameClock : public QObject
{
    Q_OBJECT

private slots:
    void intervalGrowsWithCost();
    void ticksOnlyWhileActive();
    void followsCost();
};

void TestFrameClock::intervalGrowsWithCost()
{
    QCOMPARE(frameInterval(0, 2), milliseconds(33));
    QCOMPARE(frameInterval(0.001, 2), milliseconds(33));
    QCOMPARE(frameInterval(0.008, 2), milliseconds(200));
    QCOMPARE(frameInterval(0.008, 16), milliseconds(33));
    QCOMPARE(frameInterval(0.008, 0), milliseconds(400));
    QCOMPARE(frameInterval(60, 1), milliseconds(2000));
}

void TestFrameClock::ticksOnlyWhileActive()
{
    FrameClock clock(2);
    QSignalSpy frames(&clock, &FrameClock::frame);
    QTest::qWait(80);
    QCOMPARE(frames.count(), 0);
    clock.setActive(true);
    QTRY_VERIFY(frames.count() >= 2);
    clock.setActive(false);
    const auto before = frames.count();
    QTRY_COMPARE(frames.count(), before + 1); // the last one, for what came in between
    QTest::qWait(80);
    QCOMPARE(frames.count(), before + 1);
}

void TestFrameClock::followsCost()
{
    FrameClock clock(2);
    clock.setFrameCost(0.02);
    QCOMPARE(clock.interval(), milliseconds(500));
    clock.setFrameCost(0.0201);
    QCOMPARE(clock.interval(), milliseconds(500));
    clock.setFrameCost(0.0001);
    QCOMPARE(clock.interval(), milliseconds(33));
}

QTEST_GUILESS_MAIN(TestFrameClock)
#include "tst_frame_clock.moc"
