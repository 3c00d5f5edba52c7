// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/training_loop.h"
#include "tests/core/training/fake_engine.h"

#include <QTest>

using namespace fullbatch;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();

/// A run with the fake engine from start to end in this thread.
struct Run
{
    RunSpec spec;
    FakeScript script;
    MetricsLog log;
    TrainingControl control{0.0025};

    StopReason train()
    {
        FakeEngine engine(script);
        EngineState state;
        state.epoch = log.epochs.size();
        engine.restore(state);
        return runTraining(engine, spec, log, control);
    }

    [[nodiscard]] std::vector<std::uint64_t> testEpochs() const
    {
        std::vector<std::uint64_t> epochs;
        for (std::size_t i = 0; i < log.tests.size(); ++i)
            epochs.push_back(log.tests[i].epoch);
        return epochs;
    }

    /// Entries that are not those of their epoch.
    [[nodiscard]] std::size_t wrongEntries() const
    {
        std::size_t wrong = 0;
        for (std::size_t epoch = 0; epoch < log.epochs.size(); ++epoch)
            if (log.epochs[epoch].predictionDigest != predictionDigest(epoch, 0))
                ++wrong;
        return wrong;
    }
};

} // namespace

class TrainingLoopTest : public QObject
{
    Q_OBJECT

private slots:
    void chunksDoubleAndHalveTowards20Milliseconds()
    {
        QCOMPARE(nextChunk(1, 0), std::size_t(2));
        QCOMPARE(nextChunk(1, 5), std::size_t(1));
        QCOMPARE(nextChunk(100, 0.02), std::size_t(100));
        QCOMPARE(nextChunk(100, 0.025), std::size_t(80));
        QCOMPARE(nextChunk(100, 0.016), std::size_t(125));
        QCOMPARE(nextChunk(100, 0.001), std::size_t(200));
        QCOMPARE(nextChunk(100, 1), std::size_t(50));
        QCOMPARE(nextChunk(65'536, 0.001), std::size_t(65'536));
        QCOMPARE(nextChunk(2, 1e300), std::size_t(1));
        QCOMPARE(nextChunk(1, notANumber), std::size_t(2));
    }

    void everyEpochIsLogged()
    {
        Run run;
        run.spec.epochs = 200'001;
        QCOMPARE(run.train(), StopReason::EpochsDone);
        QCOMPARE(run.log.epochs.size(), std::size_t(200'001));
        QCOMPARE(run.wrongEntries(), std::size_t(0));
        QCOMPARE(run.log.epochs[7].loss, run.script.loss(7));
        QCOMPARE(run.log.epochs[7].learningRate, 0.0025);
        QCOMPARE(run.log.tests.size(), std::size_t(0));
        QVERIFY(run.control.speed().epochsPerSecond > 0);
    }

    void chunksBeginWithOneEpochAndAtMostDouble()
    {
        Run run;
        run.spec.epochs = 60'000; // less than a block of the log, which cuts chunks too
        QCOMPARE(run.train(), StopReason::EpochsDone);
        const std::vector<std::size_t> chunks = run.script.observations->chunks();
        QCOMPARE(chunks.front(), std::size_t(1));
        for (std::size_t i = 1; i < chunks.size(); ++i)
            QVERIFY(chunks[i] <= 2 * chunks[i - 1]);
    }

    void theTestSplitIsEvaluatedWhenAsked_data()
    {
        QTest::addColumn<qint64>("epochs");
        QTest::addColumn<qint64>("every");
        QTest::addColumn<QList<quint64>>("expected");
        QTest::newRow("never") << 100LL << 0LL << QList<quint64>();
        QTest::newRow("always") << 4LL << 1LL << QList<quint64>{0, 1, 2, 3};
        QTest::newRow("and at the last epoch") << 120LL << 50LL << QList<quint64>{0, 50, 100, 119};
        QTest::newRow("the last epoch is due") << 101LL << 50LL << QList<quint64>{0, 50, 100};
        QTest::newRow("rarely") << 100LL << 1'000'000LL << QList<quint64>{0, 99};
        QTest::newRow("one epoch") << 1LL << 50LL << QList<quint64>{0};
        QTest::newRow("two epochs") << 2LL << 50LL << QList<quint64>{0, 1};
        QTest::newRow("the largest number")
            << 3LL << std::numeric_limits<qint64>::max() << QList<quint64>{0, 2};
    }

    void theTestSplitIsEvaluatedWhenAsked()
    {
        QFETCH(qint64, epochs);
        QFETCH(qint64, every);
        QFETCH(QList<quint64>, expected);
        Run run;
        run.spec.epochs = epochs;
        run.spec.testEvery = every;
        QCOMPARE(run.train(), StopReason::EpochsDone);
        QCOMPARE(qint64(run.log.epochs.size()), epochs);
        QCOMPARE(run.wrongEntries(), std::size_t(0));
        const std::vector<std::uint64_t> wanted(expected.begin(), expected.end());
        QCOMPARE(run.testEpochs(), wanted);
        // Before the epoch's update: so many epochs were done.
        QCOMPARE(run.script.observations->evaluated(), wanted);
        for (std::size_t i = 0; i < wanted.size(); ++i)
            QCOMPARE(run.log.tests[i].evaluation.loss, run.script.loss(wanted[i]) + 0.5);
    }

    void anEmptyTestSplitLeavesNoEntries()
    {
        Run run;
        run.spec.epochs = 100;
        run.spec.testEvery = 10;
        run.script.testRows = 0;
        QCOMPARE(run.train(), StopReason::EpochsDone);
        QCOMPARE(run.log.tests.size(), std::size_t(0));
    }

    void zeroErrorStopsAfterExactlySoManyEpochs_data()
    {
        QTest::addColumn<qint64>("inARow");
        QTest::addColumn<quint64>("logged");
        QTest::newRow("the first") << 1LL << quint64(301);
        QTest::newRow("more than the first row of them") << 11LL << quint64(1011);
        QTest::newRow("many") << 5000LL << quint64(6000);
    }

    void zeroErrorStopsAfterExactlySoManyEpochs()
    {
        QFETCH(qint64, inARow);
        QFETCH(quint64, logged);
        Run run;
        run.spec.epochs = 100'000;
        run.spec.ends.zeroErrorEpochs = inARow;
        run.script.wrongRows = [](std::uint64_t e) {
            return (e >= 300 && e < 310) || e >= 1000 ? 0U : 5U;
        };
        QCOMPARE(run.train(), StopReason::ZeroError);
        QCOMPARE(quint64(run.log.epochs.size()), logged);
        // Not one epoch more was asked of the engine, so its parameters are those of the log's end.
        std::size_t asked = 0;
        for (const std::size_t chunk : run.script.observations->chunks())
            asked += chunk;
        QCOMPARE(quint64(asked), logged);
    }

    void theTargetErrorEndsTheRunAtTheFirstEpochThatReachesIt()
    {
        Run run;
        run.log.trainRows = 1000;
        run.spec.epochs = 100'000;
        run.spec.ends.errorPercent = 2.5;
        run.script.wrongRows = [](std::uint64_t e) { return e == 4321 || e > 5000 ? 25U : 26U; };
        QCOMPARE(run.train(), StopReason::TargetError);
        QCOMPARE(run.log.epochs.size(), std::size_t(4322));
        QCOMPARE(run.wrongEntries(), std::size_t(0));
        QCOMPARE(run.train(), StopReason::TargetError); // it stays at its end
        QCOMPARE(run.log.epochs.size(), std::size_t(4322));
    }

    void testsWithoutGainEndTheRun_data()
    {
        QTest::addColumn<qint64>("inARow");
        QTest::addColumn<quint64>("tests");
        QTest::newRow("one") << 1LL << quint64(3); // 9, 8, 8
        QTest::newRow("three") << 3LL << quint64(8); // 9, 8, 8, 9, 7, 7, 8, 7
        QTest::newRow("never") << 100LL << quint64(21);
    }

    void testsWithoutGainEndTheRun()
    {
        QFETCH(qint64, inARow);
        QFETCH(quint64, tests);
        Run run;
        run.spec.epochs = 201;
        run.spec.testEvery = 10;
        run.spec.ends.testsWithoutGain = inARow;
        run.script.wrongRows = [](std::uint64_t e) {
            constexpr std::array errors{9U, 8U, 8U, 9U, 7U, 7U, 8U, 7U};
            return e / 10 < errors.size() ? errors[e / 10] : 7U;
        };
        const StopReason reason = run.train();
        QVERIFY(reason == (tests == 21 ? StopReason::EpochsDone : StopReason::NoTestGain));
        QCOMPARE(quint64(run.log.tests.size()), tests);
        QCOMPARE(run.wrongEntries(), std::size_t(0));
    }

    void miniBatchesAreTestedAfterTheirEpoch()
    {
        Run run;
        run.log.measuredAfter = true;
        run.spec.epochs = 120;
        run.spec.testEvery = 50;
        QCOMPARE(run.train(), StopReason::EpochsDone);
        QCOMPARE(run.testEpochs(), (std::vector<std::uint64_t>{0, 50, 100, 119}));
        QCOMPARE(run.script.observations->evaluated(),
                 (std::vector<std::uint64_t>{1, 51, 101, 120}));
    }

    void aScheduleGoesOnInAContinuedLog()
    {
        const auto ratesAfter = [](const std::vector<std::int64_t>& lengths) {
            Run run;
            run.spec.schedule = {ScheduleKind::Step, 7, 0.9, 3};
            for (const std::int64_t length : lengths) {
                run.spec.epochs = length;
                [&] { QCOMPARE(run.train(), StopReason::EpochsDone); }();
                if (length == 20) // from the next epoch on
                    run.control.setLearningRate(0.01);
            }
            std::vector<double> rates;
            for (std::size_t epoch = 0; epoch < run.log.epochs.size(); ++epoch)
                rates.push_back(run.log.epochs[epoch].learningRate);
            return rates;
        };
        const std::vector<double> whole = ratesAfter({50});
        QCOMPARE(whole[20], 0.0025 * 0.9 * 0.9);
        QCOMPARE(ratesAfter({11, 12, 50}), whole);
        const std::vector<double> changed = ratesAfter({20, 50});
        QCOMPARE(changed[19], whole[19]);
        QCOMPARE(changed[20], 0.01);
        QCOMPARE(changed[24], 0.01 * 0.9);
        QCOMPARE(ratesAfter({20, 33, 50}), changed);
    }

    void zeroErrorCountsAcrossAContinuedLog()
    {
        Run run;
        run.script.wrongRows = [](std::uint64_t e) { return e >= 95 ? 0U : 5U; };
        run.spec.epochs = 100;
        QCOMPARE(run.train(), StopReason::EpochsDone);
        run.spec.epochs = 1000;
        run.spec.ends.zeroErrorEpochs = 10;
        QCOMPARE(run.train(), StopReason::ZeroError);
        QCOMPARE(run.log.epochs.size(), std::size_t(105));
    }

    void theTimeLimitEndsTheRun()
    {
        Run run;
        run.spec.epochs = RunSpec::maximumEpochs;
        run.spec.ends.seconds = 0.05;
        run.script.microsecondsPerEpoch = 1000;
        QCOMPARE(run.train(), StopReason::TimeUp);
        QVERIFY(run.control.speed().trainingSeconds >= 0.05);
        QCOMPARE(run.wrongEntries(), std::size_t(0));
    }

    void aDivergingRunEndsWithItsNonFiniteEpoch_data()
    {
        QTest::addColumn<double>("loss");
        QTest::addColumn<quint64>("epoch");
        QTest::newRow("nan") << notANumber << quint64(777);
        QTest::newRow("infinity") << std::numeric_limits<double>::infinity() << quint64(1);
        QTest::newRow("at once") << notANumber << quint64(0);
    }

    void aDivergingRunEndsWithItsNonFiniteEpoch()
    {
        QFETCH(double, loss);
        QFETCH(quint64, epoch);
        Run run;
        run.spec.epochs = 10'000;
        run.script.loss = [=](std::uint64_t e) { return e >= epoch ? loss : 1.0; };
        QCOMPARE(run.train(), StopReason::Diverged);
        QCOMPARE(quint64(run.log.epochs.size()), epoch + 1);
        QVERIFY(!std::isfinite(run.log.epochs[epoch].loss));
        QCOMPARE(run.train(), StopReason::Diverged);
        QCOMPARE(quint64(run.log.epochs.size()), epoch + 1);
    }

    void divergingInTheLastEpochIsDiverging()
    {
        Run run;
        run.spec.epochs = 10;
        run.script.loss = [](std::uint64_t e) { return e == 9 ? notANumber : 1.0; };
        QCOMPARE(run.train(), StopReason::Diverged);
        QCOMPARE(run.log.epochs.size(), std::size_t(10));
    }

    void whatWasPublishedBeforeAnEngineErrorStays()
    {
        Run run;
        run.spec.epochs = 100'000;
        run.spec.testEvery = 100;
        run.script.throwAtEpoch = 1000;
        QVERIFY_EXCEPTION_THROWN(run.train(), EngineError);
        QCOMPARE(run.log.epochs.size(), std::size_t(1000));
        QCOMPARE(run.wrongEntries(), std::size_t(0));
        QCOMPARE(run.testEpochs().back(), std::uint64_t(900)); // epoch 1000 never happened
    }

    void epochsCanBeAdded()
    {
        Run run;
        run.spec.epochs = 100;
        run.spec.testEvery = 60;
        QCOMPARE(run.train(), StopReason::EpochsDone);
        QCOMPARE(run.train(), StopReason::EpochsDone);
        QCOMPARE(run.log.epochs.size(), std::size_t(100));
        run.spec.epochs = 70'000;
        run.spec.testEvery = 30'000;
        QCOMPARE(run.train(), StopReason::EpochsDone);
        QCOMPARE(run.log.epochs.size(), std::size_t(70'000));
        QCOMPARE(run.wrongEntries(), std::size_t(0));
        QCOMPARE(run.testEpochs(), (std::vector<std::uint64_t>{0, 60, 99, 30'000, 60'000, 69'999}));
    }

    void aRunStoppedBeforeItBeganTrainsNothing()
    {
        Run run;
        run.control.stop();
        QCOMPARE(run.train(), StopReason::Stopped);
        QCOMPARE(run.log.epochs.size(), std::size_t(0));
        QVERIFY(run.script.observations->chunks().empty());
    }
};

QTEST_APPLESS_MAIN(TrainingLoopTest)
#include "tst_training_loop.moc"
