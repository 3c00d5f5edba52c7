// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/learning_rate_schedule.h"

#include "tests/core/reference_table.h"

#include <cstdlib>

using namespace fullbatch;

namespace {

/// Steady from the first epoch to the last, as a run asks for them.
std::vector<double> ratesOf(LearningRates& rates, std::uint64_t first, std::uint64_t end)
{
    std::vector<double> all;
    for (std::uint64_t epoch = first; epoch < end; ++epoch)
        all.push_back(rates.at(epoch));
    return all;
}

LearningRates cosine()
{
    return LearningRates({ScheduleKind::Cosine, 20, 0.5, 3}, 0.1, 50);
}

} // namespace

class LearningRateScheduleTest : public QObject
{
    Q_OBJECT

private slots:
    // torch_schedules.py wrote the table with PyTorch 2.15.
    void everyEpochHasPyTorchsRate()
    {
        const auto table = referenceTable("torch_schedules.csv", 8);
        QCOMPARE(table.size(), 410);
        int wrong = 0;
        for (const auto& row : table) {
            const LearningRateSchedule schedule{
                valueOf<ScheduleKind>(row[0].toStdString(), scheduleNames).value(),
                row[1].toLongLong(), row[2].toDouble(), row[3].toLongLong()};
            LearningRates rates(schedule, row[4].toDouble(), row[5].toULongLong());
            const double wanted = std::strtod(row[7].constData(), nullptr);
            QVERIFY(wanted > 0);
            const double used = rates.at(row[6].toULongLong());
            if (used != wanted) {
                ++wrong;
                qInfo("%s: %a", row.join(',').constData(), used);
            }
        }
        QCOMPARE(wrong, 0);
    }

    void anyEpochMayBeAskedFor()
    {
        LearningRates rates = cosine();
        const std::vector<double> inOrder = ratesOf(rates, 0, 50);
        LearningRates jumping = cosine();
        for (const std::uint64_t epoch : {49U, 0U, 7U, 3U, 48U})
            QCOMPARE(jumping.at(epoch), inOrder[epoch]);
        LearningRates steady({}, 0.25, 1'000'000'000);
        QCOMPARE(steady.at(999'999'999), 0.25);
    }

    void aChangeByHandScalesWhatFollows()
    {
        LearningRates rates = cosine();
        LearningRates changed = cosine();
        QVERIFY(changed.setByHand(10, rates.at(10) * 2));
        for (std::uint64_t epoch = 10; epoch < 50; ++epoch)
            QVERIFY2(std::abs(changed.at(epoch) - 2 * rates.at(epoch)) < 1e-15,
                     std::to_string(epoch).c_str());
    }

    void aChangeInTheWarmUpScalesTheScheduleToo()
    {
        LearningRates rates = cosine();
        LearningRates changed = cosine();
        QVERIFY(changed.setByHand(1, rates.at(1) / 4));
        QVERIFY(std::abs(changed.at(30) - rates.at(30) / 4) < 1e-15);
    }

    void theRateThatHoldsAnywayIsNoChange()
    {
        LearningRates rates = cosine();
        LearningRates changed = cosine();
        QVERIFY(!changed.setByHand(10, rates.at(10)));
        QCOMPARE(ratesOf(changed, 10, 50), ratesOf(rates, 10, 50));
    }
};

QTEST_APPLESS_MAIN(LearningRateScheduleTest)
#include "tst_learning_rate_schedule.moc"
