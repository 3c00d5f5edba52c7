// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/progress_line.h"

#include <QTest>

#include <cstdlib>
#include <ctime>
#include <limits>

using namespace fullbatch;

namespace {

std::chrono::system_clock::time_point noon()
{
    // 2026-03-01 12:00 UTC
    return std::chrono::system_clock::from_time_t(1'772'366'400);
}

void fill(MetricsLog& log, std::size_t epochs, std::uint32_t wrongRows)
{
    log.trainRows = 4000;
    for (std::size_t done = 0; done < epochs;) {
        const auto next = log.epochs.next(epochs - done);
        for (EpochMetrics& epoch : next)
            epoch.wrongRows = wrongRows;
        log.epochs.publish(next.size());
        done += next.size();
    }
}

} // namespace

/// The line that shows the progress of a run in the terminal.
class TestProgressLine : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase();
    void durations();
    void beforeTheFirstEpoch();
    void inTheMiddle();
    void atTheEnd();
    void endOnAnotherDay();
    void fitsTheTerminal();
};

void TestProgressLine::initTestCase()
{
    qputenv("TZ", "UTC");
    tzset();
}

void TestProgressLine::durations()
{
    QCOMPARE(durationText(0.34), std::string("0.3 s"));
    QCOMPARE(durationText(12.4), std::string("12 s"));
    QCOMPARE(durationText(245), std::string("4 min 5 s"));
    QCOMPARE(durationText(3 * 3600 + 12 * 60 + 40), std::string("3 h 12 min"));
    QCOMPARE(durationText(std::numeric_limits<double>::infinity()), std::string("unknown"));
}

void TestProgressLine::beforeTheFirstEpoch()
{
    const MetricsLog log;
    QCOMPARE(progressLine(log, 2000, {}, noon(), 100),
             std::string("[--------------------]   0 %  epoch 0 of 2,000"));
}

void TestProgressLine::inTheMiddle()
{
    MetricsLog log;
    fill(log, 800, 2448);
    QCOMPARE(progressLine(log, 2000, {.epochsPerSecond = 10}, noon(), 200),
             std::string("[########------------]  40 %  epoch 800 of 2,000  error 61.20 %  "
                         "10 epochs/s  2 min 0 s left, done at 12:02"));
}

void TestProgressLine::atTheEnd()
{
    MetricsLog log;
    fill(log, 3, 0);
    QCOMPARE(progressLine(log, 3, {.epochsPerSecond = 1234.5}, noon(), 200),
             std::string("[####################] 100 %  epoch 3 of 3  error 0.00 %  "
                         "1,235 epochs/s"));
}

void TestProgressLine::endOnAnotherDay()
{
    MetricsLog log;
    fill(log, 1, 1);
    const std::string line = progressLine(log, 200'001, {.epochsPerSecond = 1}, noon(), 200);
    QVERIFY2(line.ends_with("55 h 33 min left, done at 2026-03-03 19:33"), line.c_str());
    const std::string never = progressLine(log, 1'000'000'000, {.epochsPerSecond = 1}, noon(), 200);
    QVERIFY2(never.ends_with("time left unknown"), never.c_str());
}

void TestProgressLine::fitsTheTerminal()
{
    MetricsLog log;
    fill(log, 800, 2448);
    for (std::size_t columns : {30U, 48U, 60U, 79U, 100U}) {
        const std::string line = progressLine(log, 2000, {.epochsPerSecond = 10}, noon(), columns);
        QVERIFY(line.size() <= columns);
        QVERIFY(line.starts_with("[########------------]  40 %"));
    }
}

QTEST_APPLESS_MAIN(TestProgressLine)
#include "tst_progress_line.moc"
