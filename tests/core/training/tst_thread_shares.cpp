// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/thread_shares.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using namespace fullbatch;

class ThreadSharesTest : public QObject
{
    Q_OBJECT

private slots:
    void sharesAreFair()
    {
        QCOMPARE(threadShares(1, 8), (std::vector<int>{8}));
        QCOMPARE(threadShares(4, 2), (std::vector<int>{1, 1, 1, 1}));
        QCOMPARE(threadShares(4, 8), (std::vector<int>{2, 2, 2, 2}));
        QCOMPARE(threadShares(3, 8), (std::vector<int>{3, 3, 2}));
        QCOMPARE(threadShares(0, 8), std::vector<int>());
        QCOMPARE(threadShares(-1, 8), std::vector<int>());
    }

    void allSumsHold()
    {
        for (int runs = 1; runs <= 40; ++runs)
            for (int cores = 0; cores <= 70; ++cores) {
                const std::vector<int> shares = threadShares(runs, cores);
                QCOMPARE(shares.size(), static_cast<std::size_t>(runs));
                QCOMPARE(std::accumulate(shares.begin(), shares.end(), 0), std::max(runs, cores));
                QVERIFY(shares.back() >= 1);
                QVERIFY(shares.front() - shares.back() <= 1);
                QVERIFY(std::is_sorted(shares.rbegin(), shares.rend()));
            }
    }

    void theFourPresetsAlwaysStartTogether()
    {
        QCOMPARE(mostRunsAtOnce(1), 4);
        QCOMPARE(mostRunsAtOnce(4), 4);
        QCOMPARE(mostRunsAtOnce(16), 16);
    }
};

QTEST_APPLESS_MAIN(ThreadSharesTest)
#include "tst_thread_shares.moc"
