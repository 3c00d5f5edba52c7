// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/chart/made_log.h"
#include "ui/chart/run_curve.h"

#include <QTest>

#include <limits>

using namespace fullbatch;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

double percentAt(std::uint64_t epoch)
{
    return static_cast<double>(epoch % 81) * 0.025;
}

RunCurve curveOf(std::shared_ptr<const MetricsLog> log, Quantity quantity = Quantity::TrainingError)
{
    return {"id", "4 x 63", std::move(log), quantity, 0};
}

} // namespace

class TestRunCurve : public QObject
{
    Q_OBJECT

private slots:
    void pullsInSlices();
    void keepsEveryEpoch();
    void followsAGrowingLog();
    void countsWhatIsNotFinite();
    void errorOfANonFiniteLossIsUnknown();
    void marksDivergence();
    void marksRateChanges();
    void aScheduleIsNoEvent();
    void takesTests();
};

void TestRunCurve::pullsInSlices()
{
    const auto log = madeLog(500'000, percentAt);
    RunCurve curve = curveOf(log);
    QCOMPARE(curve.pull(100'000), std::size_t{100'000});
    QCOMPARE(curve.training().size(), std::size_t{100'000});
    QVERIFY(!curve.upToDate());
    int pulls = 1;
    while (!curve.upToDate()) {
        QVERIFY(curve.pull(100'000) <= 100'000);
        ++pulls;
    }
    QCOMPARE(pulls, 5);
    QCOMPARE(curve.pull(100'000), std::size_t{0});
}

void TestRunCurve::keepsEveryEpoch()
{
    const auto log = madeLog(70'000, percentAt);
    RunCurve curve = curveOf(log);
    while (curve.pull(9'999) > 0) { }
    for (std::size_t epoch = 0; epoch < 70'000; ++epoch) {
        QCOMPARE(curve.training()[epoch], static_cast<float>(curve.exactValue(epoch)));
        QCOMPARE(curve.exactValue(epoch), errorPercent(log->epochs[epoch].wrongRows, madeRows));
    }
}

void TestRunCurve::followsAGrowingLog()
{
    const auto log = madeLog(10, percentAt);
    RunCurve curve = curveOf(log);
    curve.pull(100);
    extendLog(*log, 35, percentAt);
    QVERIFY(!curve.upToDate());
    QCOMPARE(curve.pull(100), std::size_t{25});
    QVERIFY(curve.upToDate());
}

void TestRunCurve::countsWhatIsNotFinite()
{
    const auto log =
        madeLog(5, [](std::uint64_t epoch) { return epoch % 2 == 0 ? 1.0 : notANumber; });
    RunCurve curve = curveOf(log);
    curve.pull(3);
    QCOMPARE(curve.notFinite(), std::size_t{1});
    curve.pull(3);
    QCOMPARE(curve.notFinite(), std::size_t{2});
    QCOMPARE(curve.extent().largest, 1.0F);
    QVERIFY(!curve.extent().zero);
    QVERIFY(curve.marks().empty());
}

void TestRunCurve::errorOfANonFiniteLossIsUnknown()
{
    auto log = madeLog(3, [](std::uint64_t) { return 20.0; });
    const std::span<EpochMetrics> last = log->epochs.next(1);
    last[0].loss = notANumber;
    last[0].wrongRows = 3602; // what class 0 for every row would give
    log->epochs.publish(1);
    RunCurve curve = curveOf(log);
    curve.pull(10);
    QVERIFY(std::isnan(curve.training()[3]));
    QVERIFY(std::isnan(curve.exactValue(3)));
}

void TestRunCurve::marksDivergence()
{
    const auto log = madeLog(60, [](std::uint64_t epoch) { return epoch == 59 ? HUGE_VAL : 50.0; });
    RunCurve curve = curveOf(log, Quantity::TrainingLoss);
    curve.pull(30);
    QVERIFY(curve.marks().empty());
    curve.pull(30);
    QCOMPARE(curve.marks().size(), std::size_t{1});
    QCOMPARE(curve.marks()[0].kind, RunCurve::Mark::Kind::Diverged);
    QCOMPARE(curve.marks()[0].epoch, std::uint64_t{59});
}

void TestRunCurve::marksRateChanges()
{
    auto log = std::make_shared<MetricsLog>();
    log->trainRows = madeRows;
    const std::span<EpochMetrics> epochs = log->epochs.next(100);
    for (std::size_t epoch = 0; epoch < epochs.size(); ++epoch)
        epochs[epoch].learningRate = epoch < 40 ? 0.0025 : 0.01;
    log->rateChanges.next(1).front() = {40, 0.01};
    log->rateChanges.publish(1);
    log->epochs.publish(30);
    RunCurve curve = curveOf(log);
    curve.pull(1000);
    QVERIFY(curve.marks().empty()); // its epoch is not there yet
    (void)log->epochs.next(70);
    log->epochs.publish(70);
    curve.pull(1000);
    QCOMPARE(curve.marks().size(), std::size_t{1});
    QCOMPARE(curve.marks()[0].kind, RunCurve::Mark::Kind::RateChanged);
    QCOMPARE(curve.marks()[0].epoch, std::uint64_t{40});
    QCOMPARE(curve.marks()[0].learningRate, 0.01);
}

void TestRunCurve::aScheduleIsNoEvent()
{
    auto log = std::make_shared<MetricsLog>();
    log->trainRows = madeRows;
    const std::span<EpochMetrics> epochs = log->epochs.next(5000);
    for (std::size_t epoch = 0; epoch < epochs.size(); ++epoch)
        epochs[epoch].learningRate = 1 / (1.0 + static_cast<double>(epoch));
    log->epochs.publish(epochs.size());
    RunCurve curve = curveOf(log);
    curve.pull(10'000);
    QVERIFY(curve.marks().empty());
}

void TestRunCurve::takesTests()
{
    auto log = madeLog(1000, percentAt);
    addTest(*log, 0, 90);
    addTest(*log, 500, 0);
    RunCurve curve = curveOf(log);
    curve.pull(10'000);
    QCOMPARE(curve.test().epochs, (std::vector<std::uint64_t>{0, 500}));
    QCOMPARE(curve.test().values[0], 90.0F);
    QVERIFY(curve.extent().zero);
    QCOMPARE(curve.extent().largest, 90.0F);
}

QTEST_APPLESS_MAIN(TestRunCurve)
#include "tst_run_curve.moc"
