// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/training_loop.h"
#include "tests/core/training/fake_engine.h"

#include <QTest>

using namespace fullbatch;

namespace {

/// A run of the fake engine, in this thread, to whatever end.
struct Run
{
    RunSpec spec;
    FakeScript script;
    MetricsLog log;
    TrainingControl control{0.0025};

    TrainingEnd train()
    {
        FakeEngine engine(script, Parameters(networkShape(spec, 2, 2)));
        return trainToTheEnd(engine, spec, log, control);
    }
};

} // namespace

/// What is left of a run when its engine failed.
class TrainingEndTest : public QObject
{
    Q_OBJECT

private slots:
    void aGoodEndHasItsParameters()
    {
        Run run;
        run.spec.epochs = 100;
        const TrainingEnd end = run.train();
        QVERIFY(end.reason == StopReason::EpochsDone);
        QVERIFY(end.failure.empty());
        QVERIFY(end.parameters.has_value());
        QCOMPARE(end.parametersEpoch, std::uint64_t(100));
    }

    void aFailureKeepsCurveAndParameters()
    {
        Run run;
        run.spec.epochs = 3000;
        run.script.throwAtEpoch = 1000;
        const TrainingEnd end = run.train();
        QVERIFY(!end.reason);
        QCOMPARE(end.failure, run.script.throwText);
        QVERIFY(run.log.epochs.size() > 0 && run.log.epochs.size() <= 1000);
        QVERIFY(end.parameters.has_value()); // this device still answers
        QCOMPARE(end.parametersEpoch, std::uint64_t(run.log.epochs.size()));
    }

    void aDeviceThatTakesItsParametersAlongLeavesTheLastCopy()
    {
        Run run;
        run.script.takesParametersAlong = true;
        run.script.microsecondsPerEpoch = 1000;
        run.script.throwAtEpoch = 2500; // two copies, one a second, are made before
        run.script.skippedSteps = [](std::uint64_t epoch) { return epoch; };
        run.spec.precision = Precision::Fp16;
        const TrainingEnd end = run.train();
        QCOMPARE(end.failure, run.script.throwText); // not that of the copy that failed after it
        QVERIFY(end.parameters.has_value());
        QVERIFY(end.parametersEpoch > 0 && end.parametersEpoch < run.log.epochs.size());
        QCOMPARE(run.log.skippedSteps.load(), end.parametersEpoch);
    }

    void aDeviceThatFailsAtOnceLeavesNothing()
    {
        Run run;
        run.script.takesParametersAlong = true;
        run.script.throwAtEpoch = 0;
        const TrainingEnd end = run.train();
        QCOMPARE(end.failure, run.script.throwText);
        QVERIFY(!end.parameters);
        QCOMPARE(run.log.epochs.size(), std::size_t(0));
    }

    void skippedStepsAreCountedInFp16Alone()
    {
        for (const Precision precision : {Precision::Fp16, Precision::Fp32}) {
            Run run;
            run.spec.epochs = 50;
            run.spec.precision = precision;
            run.script.skippedSteps = [](std::uint64_t) { return std::uint64_t{7}; };
            QVERIFY(run.train().reason == StopReason::EpochsDone);
            QCOMPARE(run.log.skippedSteps.load(),
                     std::uint64_t(precision == Precision::Fp16 ? 7 : 0));
        }
    }
};

QTEST_GUILESS_MAIN(TrainingEndTest)
#include "tst_training_end.moc"
