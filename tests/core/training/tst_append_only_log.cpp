// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/append_only_log.h"

#include "core/training/metrics_log.h"

#include <QTest>

#include <cmath>
#include <thread>

using namespace fullbatch;

using Log = AppendOnlyLog<std::uint64_t>;

namespace {

void append(Log& log, std::uint64_t count)
{
    while (count > 0) {
        const std::span<std::uint64_t> entries = log.next(count);
        for (std::size_t i = 0; i < entries.size(); ++i)
            entries[i] = log.size() + i;
        log.publish(entries.size());
        count -= entries.size();
    }
}

} // namespace

class AppendOnlyLogTest : public QObject
{
    Q_OBJECT

private slots:
    void entriesAreInvisibleUntilPublished()
    {
        Log log;
        QCOMPARE(log.size(), std::size_t(0));
        QVERIFY(log.from(0).empty());
        log.next(3)[0] = 7;
        QCOMPARE(log.size(), std::size_t(0));
        log.publish(1);
        QCOMPARE(log.size(), std::size_t(1));
        QCOMPARE(log[0], std::uint64_t(7));
        QCOMPARE(log.from(0).size(), std::size_t(1));
    }

    void aSpanEndsWithItsBlock()
    {
        Log log;
        append(log, Log::blockSize - 3);
        QCOMPARE(log.next(10).size(), std::size_t(3));
        append(log, 10);
        QCOMPARE(log.size(), Log::blockSize + 7);
        QCOMPARE(log.from(Log::blockSize - 5).size(), std::size_t(5));
        QCOMPARE(log.from(Log::blockSize).size(), std::size_t(7));
        QVERIFY(log.from(log.size()).empty());
        for (std::size_t i = 0; i < log.size(); ++i)
            QCOMPARE(log[i], std::uint64_t(i));
    }

    void entriesNeverMove()
    {
        Log log;
        append(log, 1);
        const std::uint64_t* first = &log[0];
        append(log, 5 * Log::blockSize);
        QCOMPARE(&log[0], first);
    }

    void aReaderSeesOnlyCompletePrefixes()
    {
        constexpr std::uint64_t count = 3 * Log::blockSize + 5;
        Log log;
        std::jthread writer([&log] {
            for (std::uint64_t i = 0; i < count; i += 5)
                append(log, std::min<std::uint64_t>(5, count - i));
        });
        std::size_t seen = 0;
        std::size_t wrong = 0;
        while (seen < count)
            for (auto span = log.from(seen); !span.empty(); span = log.from(seen))
                for (const std::uint64_t entry : span)
                    wrong += entry != seen++ ? 1 : 0;
        QCOMPARE(wrong, std::size_t(0));
    }

    void errorPercentIsAShareOfTheRows()
    {
        QCOMPARE(errorPercent(1, 4000), 0.025);
        QCOMPARE(errorPercent(4000, 4000), 100.0);
        QCOMPARE(errorPercent(0, 4000), 0.0);
        QVERIFY(std::isnan(errorPercent(0, 0)));
    }
};

QTEST_APPLESS_MAIN(AppendOnlyLogTest)
#include "tst_append_only_log.moc"
