// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/training_loop.h"
#include "tests/core/training/fake_engine.h"

#include <QTest>

#include <optional>
#include <random>

using namespace fullbatch;

namespace {

/// A run in a thread of its own; stopped and joined at the end of its life.
class BackgroundRun
{
public:
    BackgroundRun(RunSpec runSpec, FakeScript script, bool pausedAtStart = false)
        : spec(std::move(runSpec)),
          control(spec.learningRate, pausedAtStart),
          m_worker([this, script = std::move(script)] {
              FakeEngine engine(script);
              m_reason = runTraining(engine, spec, log, control);
          })
    {
    }
    ~BackgroundRun() { control.stop(); }
    BackgroundRun(const BackgroundRun&) = delete;
    BackgroundRun& operator=(const BackgroundRun&) = delete;

    StopReason end()
    {
        m_worker.join();
        return m_reason.value();
    }

    void waitUntilWaiting() const
    {
        while (!control.waiting())
            std::this_thread::yield();
    }

    void waitUntilLogged(std::size_t epochs) const
    {
        while (log.epochs.size() < epochs)
            std::this_thread::yield();
    }

    RunSpec spec;
    MetricsLog log;
    TrainingControl control;

private:
    std::optional<StopReason> m_reason;
    std::jthread m_worker; // joined before the rest goes away
};

RunSpec endlessSpec()
{
    RunSpec spec;
    spec.epochs = RunSpec::maximumEpochs;
    return spec;
}

FakeScript microseconds(double perEpoch)
{
    FakeScript script;
    script.microsecondsPerEpoch = perEpoch;
    return script;
}

/// Walks the log from `seen` to its present end; counts entries that are not their epoch's.
std::size_t wrongEntries(const MetricsLog& log, std::size_t& seen)
{
    std::size_t wrong = 0;
    for (auto span = log.epochs.from(seen); !span.empty(); span = log.epochs.from(seen))
        for (const EpochMetrics& entry : span)
            wrong += entry.predictionDigest != predictionDigest(seen++, 0) ? 1 : 0;
    return wrong;
}

} // namespace

class TrainingThreadsTest : public QObject
{
    Q_OBJECT

private slots:
    void aMillionEpochsArriveCompleteWhileAReaderWalksTheLog()
    {
        RunSpec spec;
        spec.epochs = 1'000'000;
        spec.testEvery = 1000;
        BackgroundRun run(spec, {});
        std::size_t seen = 0;
        std::size_t wrong = 0;
        while (seen < 1'000'000) {
            const std::size_t tests = run.log.tests.size();
            if (tests > 0 && run.log.tests[tests - 1].epoch >= run.log.epochs.size())
                ++wrong;
            wrong += wrongEntries(run.log, seen);
        }
        QCOMPARE(wrong, std::size_t(0));
        QCOMPARE(run.end(), StopReason::EpochsDone);
        QCOMPARE(run.log.epochs.size(), std::size_t(1'000'000));
        QCOMPARE(run.log.tests.size(), std::size_t(1001));
    }

    void stopActsWithinALongEpochAndLeavesNoTraceOfIt()
    {
        const FakeScript script = microseconds(2e6);
        BackgroundRun run(endlessSpec(), script);
        while (script.observations->chunks().empty())
            std::this_thread::yield();
        run.control.stop();
        QCOMPARE(run.end(), StopReason::Stopped);
        // Had stop waited for the end of the epoch, it would be in the log.
        QCOMPARE(run.log.epochs.size(), std::size_t(0));
    }

    void stopWakesAPausedRun()
    {
        BackgroundRun run(endlessSpec(), {}, true);
        run.waitUntilWaiting();
        run.control.stop();
        QCOMPARE(run.end(), StopReason::Stopped);
        QCOMPARE(run.log.epochs.size(), std::size_t(0));
    }

    void aStepTrainsExactlySoManyEpochsAlsoWhenChunksAreLarger()
    {
        BackgroundRun run(endlessSpec(), microseconds(10));
        run.waitUntilLogged(5000); // chunks have grown to hundreds of epochs
        run.control.pause();
        run.waitUntilWaiting();
        std::size_t expected = run.log.epochs.size();
        for (const std::uint64_t steps : {1U, 1U, 2U, 7U, 10'000U, 1U}) {
            run.control.step(steps);
            run.waitUntilWaiting();
            expected += steps;
            QCOMPARE(run.log.epochs.size(), expected);
        }
    }

    void aRateSetDuringAPauseHoldsFromTheNextEpoch()
    {
        RunSpec spec = endlessSpec();
        spec.learningRate = 0.5;
        BackgroundRun run(spec, {}, true);
        run.control.step(10);
        run.waitUntilWaiting();
        run.control.setLearningRate(0.25);
        run.control.step(10);
        run.waitUntilWaiting();
        QCOMPARE(run.log.epochs.size(), std::size_t(20));
        for (std::size_t epoch = 0; epoch < 20; ++epoch)
            QCOMPARE(run.log.epochs[epoch].learningRate, epoch < 10 ? 0.5 : 0.25);
    }

    void pausesAreNoTrainingTime()
    {
        BackgroundRun run(endlessSpec(), {}, true);
        run.waitUntilWaiting();
        const auto pause = std::chrono::milliseconds(300);
        std::this_thread::sleep_for(pause);
        run.control.step(1);
        run.waitUntilWaiting();
        const Speed speed = run.control.speed();
        QVERIFY(speed.trainingSeconds < std::chrono::duration<double>(pause).count());
        QVERIFY(speed.epochsPerSecond > 0);
    }

    void requestsInAnyOrderKeepTheRulesOfPauseAndStep_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 6; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }

    void requestsInAnyOrderKeepTheRulesOfPauseAndStep()
    {
        QFETCH(unsigned, seed);
        std::mt19937 random(seed);
        BackgroundRun run(endlessSpec(), microseconds(random() % 2 == 0 ? 0.1 : 200),
                          random() % 2 == 0);
        double rate = run.spec.learningRate;
        for (int request = 0; request < 60; ++request) {
            run.control.pause();
            run.waitUntilWaiting();
            const std::size_t before = run.log.epochs.size();
            switch (random() % 4) {
            case 0: { // two steps, perhaps while the first is trained
                const std::size_t first = 1 + random() % 20;
                const std::size_t second = 1 + random() % 20;
                run.control.step(first);
                run.control.step(second);
                run.waitUntilWaiting();
                QCOMPARE(run.log.epochs.size(), before + first + second);
                break;
            }
            case 1:
                run.control.resume();
                run.waitUntilLogged(before + 1);
                break;
            case 2: // a step from the middle of a run: at least its own epochs follow
                run.control.resume();
                run.control.step(3);
                run.waitUntilWaiting();
                QVERIFY(run.log.epochs.size() >= before + 3);
                break;
            default:
                rate = rate == 0.5 ? 0.25 : 0.5;
                run.control.setLearningRate(rate);
                run.control.step(1);
                run.waitUntilWaiting();
                QCOMPARE(run.log.epochs[before].learningRate, rate);
            }
        }
        run.control.stop();
        QCOMPARE(run.end(), StopReason::Stopped);
        std::size_t seen = 0;
        QCOMPARE(wrongEntries(run.log, seen), std::size_t(0));
        QCOMPARE(seen, run.log.epochs.size());
    }

    void aStormOfRequestsFromTwoThreadsLosesNothing_data()
    {
        QTest::addColumn<unsigned>("seed");
        for (unsigned seed = 1; seed <= 4; ++seed)
            QTest::addRow("seed %u", seed) << seed;
    }

    void aStormOfRequestsFromTwoThreadsLosesNothing()
    {
        QFETCH(unsigned, seed);
        RunSpec spec = endlessSpec();
        spec.testEvery = 7;
        BackgroundRun run(spec, {});
        const auto storm = [&run](unsigned stormSeed) {
            std::mt19937 random(stormSeed);
            for (int request = 0; request < 3000; ++request) {
                switch (random() % 5) {
                case 0:
                    run.control.pause();
                    break;
                case 1:
                    run.control.resume();
                    break;
                case 2:
                    run.control.step(1 + random() % 3);
                    break;
                case 3:
                    run.control.setLearningRate(1.0 / (1.0 + static_cast<double>(random() % 9)));
                    break;
                default:
                    (void)run.control.speed();
                }
                if (random() % 50 == 0)
                    std::this_thread::yield();
            }
        };
        std::jthread other(storm, seed);
        storm(seed + 1000);
        other.join();
        run.control.stop();
        QCOMPARE(run.end(), StopReason::Stopped);
        std::size_t seen = 0;
        QCOMPARE(wrongEntries(run.log, seen), std::size_t(0));
        // Epochs 0, 7, 14 ... were evaluated, each once.
        QCOMPARE(run.log.tests.size(), (run.log.epochs.size() + 6) / 7);
        for (std::size_t i = 0; i < run.log.tests.size(); ++i)
            QCOMPARE(run.log.tests[i].epoch, std::uint64_t(7 * i));
    }
};

QTEST_APPLESS_MAIN(TrainingThreadsTest)
#include "tst_training_threads.moc"
