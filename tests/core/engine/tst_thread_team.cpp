// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/thread_team.h"

#include <QTest>

#include <atomic>
#include <chrono>
#include <ctime>
#include <thread>
#include <vector>

using namespace fullbatch;

namespace {

/// Processor seconds of all threads of this process.
double processorSeconds()
{
    timespec time = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

constexpr std::chrono::milliseconds pause(500);
constexpr double mostOfACore = 0.02;

double shareOfACoreWhilePausing()
{
    const double before = processorSeconds();
    std::this_thread::sleep_for(pause);
    return (processorSeconds() - before) / std::chrono::duration<double>(pause).count();
}

} // namespace

class TestThreadTeam : public QObject
{
    Q_OBJECT

private slots:
    void everyMemberWorksInEveryRound()
    {
        for (const int size : {1, 2, 3, 8}) {
            ThreadTeam team(size);
            QCOMPARE(team.size(), size);
            std::vector<std::atomic<int>> calls(static_cast<std::size_t>(size));
            for (int round = 0; round < 100; ++round)
                team.run([&](int member) { ++calls[static_cast<std::size_t>(member)]; });
            for (const std::atomic<int>& count : calls)
                QCOMPARE(count.load(), 100);
        }
    }

    void aPausedTeamSleeps()
    {
        ThreadTeam team(3);
        std::atomic<int> calls = 0;
        for (int round = 0; round < 100; ++round)
            team.run([&](int) { ++calls; });
        QCOMPARE(calls.load(), 300);
        QVERIFY(shareOfACoreWhilePausing() < mostOfACore);
    }

    void theMeasureNoticesAThreadThatSpins()
    {
        std::atomic<bool> done = false;
        std::thread spinning([&] {
            while (!done) { }
        });
        const double share = shareOfACoreWhilePausing();
        done = true;
        spinning.join();
        QVERIFY(share > mostOfACore);
    }
};

QTEST_APPLESS_MAIN(TestThreadTeam)
#include "tst_thread_team.moc"
