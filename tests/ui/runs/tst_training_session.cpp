// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/training/fake_engine.h"
#include "ui/parts/background_work.h"
#include "ui/runs/training_session.h"

#include <QSignalSpy>
#include <QtTest>

#include <cmath>
#include <limits>

namespace fullbatch {

/// One run and its worker, with an engine that follows a script.
class TestTrainingSession : public QObject
{
    Q_OBJECT

private slots:
    void trainsToTheEnd();
    void everyEpochArrivesWhileTheWindowIsBlocked();
    void engineLivesInOneWorkerThread();
    void stopActsWithinALongEpoch();
    void stopsWhileWaitingInTheQueue();
    void stopsWhileTheEngineIsBeingMade();
    void divergenceKeepsTheCurveAndTheWeights();
    void failureKeepsWhatWasPublished_data();
    void failureKeepsWhatWasPublished();
    void changesTheRate();
    void destroyingReturnsSoon_data();
    void destroyingReturnsSoon();

private:
    std::unique_ptr<TrainingSession> session(FakeScript script, std::int64_t epochs);
    std::shared_ptr<DataCache> m_data = std::make_shared<DataCache>();
};

namespace {

constexpr int patience = 20'000; // milliseconds, for a machine with other things to do
constexpr std::int64_t forEver = 20'000'000; // whose log still fits into memory

std::size_t epochsOf(const TrainingSession& session)
{
    return session.prepared() ? session.prepared()->log->epochs.size() : 0;
}

} // namespace

std::unique_ptr<TrainingSession> TestTrainingSession::session(FakeScript script,
                                                              std::int64_t epochs)
{
    RunSpec spec;
    spec.hiddenWidths = {3};
    spec.epochs = epochs;
    spec.engine = "fake";
    return std::make_unique<TrainingSession>(spec, fakeEngineChoice(std::move(script)), m_data);
}

void TestTrainingSession::trainsToTheEnd()
{
    const auto run = session({}, 1000);
    QSignalSpy states(run.get(), &TrainingSession::stateChanged);
    QSignalSpy finished(run.get(), &TrainingSession::finished);
    std::size_t whenFinished = 0;
    connect(run.get(), &TrainingSession::finished, this, [&] { whenFinished = epochsOf(*run); });
    QCOMPARE(run->state(), RunState::Queued);
    run->start(1);
    QVERIFY(finished.wait(patience));
    QCOMPARE(run->state(), RunState::Done);
    QCOMPARE(whenFinished, std::size_t(1000));
    QCOMPARE(finished.count(), 1);
    QCOMPARE(states.count(), 3); // preparing, running, done
    QVERIFY(run->finalParameters() != nullptr);
    QCOMPARE(run->spec().data.sha256.size(), std::size_t(64));
}

void TestTrainingSession::everyEpochArrivesWhileTheWindowIsBlocked()
{
    constexpr std::int64_t million = 1'000'000;
    FakeScript script;
    script.wrongRows = [](std::uint64_t epoch) { return static_cast<std::uint32_t>(epoch % 4001); };
    const auto run = session(script, million);
    QSignalSpy finished(run.get(), &TrainingSession::finished);
    run->start(1);
    QTRY_VERIFY_WITH_TIMEOUT(run->prepared().has_value(), patience);
    QTest::qSleep(1000); // no event is handled meanwhile
    const std::size_t whileBlocked = epochsOf(*run);
    QVERIFY(whileBlocked > 0);
    if (!isEnd(run->state()))
        QVERIFY(finished.wait(patience));
    const MetricsLog& log = *run->prepared()->log;
    QCOMPARE(log.epochs.size(), static_cast<std::size_t>(million));
    for (std::size_t epoch = 0; epoch < log.epochs.size(); ++epoch) {
        if (log.epochs[epoch].predictionDigest != predictionDigest(epoch, 0)
            || log.epochs[epoch].wrongRows != epoch % 4001)
            QFAIL(qPrintable(QStringLiteral("epoch %1 is wrong").arg(epoch)));
    }
}

void TestTrainingSession::engineLivesInOneWorkerThread()
{
    FakeScript script;
    const auto observed = script.observations;
    auto run = session(script, 1000);
    QSignalSpy finished(run.get(), &TrainingSession::finished);
    run->start(1);
    QVERIFY(finished.wait(patience));
    QCOMPARE(observed->threads().size(), std::size_t(1));
    QCOMPARE(observed->threads().count(std::this_thread::get_id()), std::size_t(0));
    QCOMPARE(observed->alive(), 0);
}

void TestTrainingSession::stopActsWithinALongEpoch()
{
    FakeScript script;
    constexpr double minute = 60e6;
    script.microsecondsPerEpoch = minute;
    const auto run = session(script, forEver);
    run->start(1);
    QTRY_COMPARE_WITH_TIMEOUT(run->state(), RunState::Running, patience);
    QElapsedTimer clock;
    clock.start();
    run->stop();
    QCOMPARE(run->state(), RunState::Stopping);
    QTRY_COMPARE_WITH_TIMEOUT(run->state(), RunState::Stopped, patience);
    constexpr qint64 halfMinute = 30'000;
    QVERIFY2(clock.elapsed() < halfMinute, "waited for the epoch");
    QVERIFY(run->finalParameters() != nullptr);
}

void TestTrainingSession::stopsWhileWaitingInTheQueue()
{
    const auto run = session({}, 10);
    QSignalSpy finished(run.get(), &TrainingSession::finished);
    run->stop();
    QCOMPARE(run->state(), RunState::Stopped);
    QCOMPARE(finished.count(), 1);
    run->start(1);
    QCOMPARE(run->state(), RunState::Stopped);
}

void TestTrainingSession::stopsWhileTheEngineIsBeingMade()
{
    std::atomic<bool> hanging = false;
    std::atomic<bool> release = false;
    EngineChoice slow = fakeEngineChoice({});
    slow.create = [&, make = slow.create](const TrainingProblem& problem) {
        hanging = true;
        release.wait(false);
        return make(problem);
    };
    RunSpec spec;
    spec.engine = slow.id;
    TrainingSession run(spec, slow, m_data);
    run.start(1);
    QTRY_VERIFY_WITH_TIMEOUT(hanging, patience);
    run.stop();
    QCOMPARE(run.state(), RunState::Stopped); // at once, although the worker still hangs
    QCOMPARE(BackgroundWork::leftBehind(), 1);
    release = true;
    release.notify_all();
    QTRY_COMPARE_WITH_TIMEOUT(BackgroundWork::leftBehind(), 0, patience);
    QCOMPARE(run.state(), RunState::Stopped);
    QVERIFY(!run.prepared());
}

void TestTrainingSession::divergenceKeepsTheCurveAndTheWeights()
{
    FakeScript script;
    script.loss = [](std::uint64_t epoch) {
        return epoch == 77 ? std::numeric_limits<double>::quiet_NaN() : 1.0;
    };
    const auto run = session(script, 1000);
    QSignalSpy finished(run.get(), &TrainingSession::finished);
    run->start(1);
    QVERIFY(finished.wait(patience));
    QCOMPARE(run->state(), RunState::Diverged);
    QCOMPARE(epochsOf(*run), std::size_t(78));
    QVERIFY(std::isnan(run->prepared()->log->epochs[77].loss));
    QVERIFY(run->finalParameters() != nullptr);
}

void TestTrainingSession::failureKeepsWhatWasPublished_data()
{
    QTest::addColumn<bool>("whenMade");
    QTest::addColumn<bool>("parametersLost");
    QTest::newRow("making the engine") << true << true;
    QTest::newRow("in an epoch") << false << false;
    QTest::newRow("in an epoch, the device lost") << false << true;
}

void TestTrainingSession::failureKeepsWhatWasPublished()
{
    QFETCH(bool, whenMade);
    QFETCH(bool, parametersLost);
    FakeScript script;
    script.throwWhenMade = whenMade;
    script.throwAtEpoch = 500;
    script.takesParametersAlong = parametersLost;
    const auto run = session(script, 1000);
    QSignalSpy finished(run.get(), &TrainingSession::finished);
    run->start(1);
    QVERIFY(finished.wait(patience));
    QCOMPARE(run->state(), RunState::Failed);
    QCOMPARE(run->failure(), QString::fromStdString(script.throwText));
    QCOMPARE(finished.count(), 1);
    QVERIFY(epochsOf(*run) <= 500);
    QCOMPARE(run->prepared().has_value(), !whenMade);
    QCOMPARE(run->finalParameters() != nullptr, !parametersLost);
    if (!whenMade)
        QVERIFY(epochsOf(*run) > 0);
    QCOMPARE(script.observations->alive(), 0);
}

void TestTrainingSession::changesTheRate()
{
    const auto run = session({}, forEver);
    run->start(1);
    QTRY_VERIFY_WITH_TIMEOUT(epochsOf(*run) > 0, patience);
    run->setLearningRate(0.5);
    QTRY_VERIFY_WITH_TIMEOUT(run->prepared()->log->epochs[epochsOf(*run) - 1].learningRate == 0.5,
                             patience);
    QCOMPARE(run->prepared()->log->epochs[0].learningRate, RunSpec().learningRate);
    QCOMPARE(run->learningRate(), 0.5);
}

void TestTrainingSession::destroyingReturnsSoon_data()
{
    QTest::addColumn<bool>("paused");
    QTest::newRow("running") << false;
    QTest::newRow("paused") << true;
}

void TestTrainingSession::destroyingReturnsSoon()
{
    QFETCH(bool, paused);
    FakeScript script;
    constexpr double minute = 60e6;
    script.microsecondsPerEpoch = minute;
    auto run = session(script, forEver);
    run->start(1);
    QTRY_COMPARE_WITH_TIMEOUT(run->state(), RunState::Running, patience);
    if (paused)
        run->pause();
    run.reset();
    QTRY_COMPARE_WITH_TIMEOUT(BackgroundWork::leftBehind(), 0, patience);
    QCOMPARE(script.observations->alive(), 0);
}

} // namespace fullbatch

QTEST_GUILESS_MAIN(fullbatch::TestTrainingSession)
#include "tst_training_session.moc"
