// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/training_run.h"
#include "core/data/mnist1d.h"
#include "core/engine/cpu_engine.h"
#include "core/network/initialisation.h"
#include "tests/app/program.h"
#include "tests/core/training/fake_engine.h"

#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace fullbatch;

namespace {

/// `fullbatch run` on the fake graphics card, whose engine fails at epoch 300.
Finished failingRun(const QString& folder, const QStringList& options)
{
    QProcessEnvironment environment = withoutDisplay();
    environment.insert(QStringLiteral("FULLBATCH_GPU_PLUGIN"), QStringLiteral(FAKE_GPU_PLUGIN));
    environment.insert(QStringLiteral("FAKE_GPU_FAILS_AT"), QStringLiteral("300"));
    const QStringList run =
        QStringLiteral("run --engine gpu --widths 3 --epochs 1000 --csv out.csv "
                       "--weights w.safetensors --quiet")
            .split(QLatin1Char(' '));
    return runProgram(run + options, folder, environment);
}

} // namespace

/// A device that fails in the middle of a run.
class TestEngineFailure : public QObject
{
    Q_OBJECT

private slots:
    void curveAndWeightsAreWritten();
    void theSentenceIsSaidOnce();
    void failureToMakeTheEngine();
    void theSameProcessTrainsOnTheCpuNext();
};

void TestEngineFailure::curveAndWeightsAreWritten()
{
    const QTemporaryDir folder;
    const Finished finished = failingRun(folder.path(), {QStringLiteral("--json")});
    QCOMPARE(finished.exitStatus, 1);
    const QJsonObject json = QJsonDocument::fromJson(finished.output).object();
    QCOMPARE(json[QLatin1String("status")].toString(), QStringLiteral("failed"));
    const int epochs = json[QLatin1String("epochs")].toInt();
    QVERIFY(epochs > 0 && epochs <= 300);
    QCOMPARE(json[QLatin1String("weights_after_epochs")].toInt(), epochs);
    QCOMPARE(json[QLatin1String("end")].toString(),
             QStringLiteral("failed after %1 epochs: fakeTrain failed; plug the fake device in "
                            "again")
                 .arg(epochs));
    const QByteArray curve = fileBytes(folder.filePath(QStringLiteral("out.csv")));
    QCOMPARE(curve.count('\n'), epochs + 1);
    QVERIFY(fileBytes(folder.filePath(QStringLiteral("w.safetensors"))).size() > 4 * 163);
}

void TestEngineFailure::theSentenceIsSaidOnce()
{
    const QTemporaryDir folder;
    const Finished finished =
        failingRun(folder.path(), {QStringLiteral("--precision"), QStringLiteral("fp16")});
    QCOMPARE(finished.exitStatus, 1);
    QCOMPARE(finished.errors,
             QByteArray("fullbatch run: fakeTrain failed; plug the fake device in again\n"));
    for (const char* const line :
         {"\nEngine    GPU 0: Fake PCI_BUS_ID, CUDA 13.0, precision fp16\n", "\nWeights   as they",
          "\nSkipped   3 steps"})
        QVERIFY2(finished.output.contains(line), finished.output.constData());
}

void TestEngineFailure::failureToMakeTheEngine()
{
    const QTemporaryDir folder;
    QProcessEnvironment environment = withoutDisplay();
    environment.insert(QStringLiteral("FULLBATCH_GPU_PLUGIN"), QStringLiteral(FAKE_GPU_PLUGIN));
    environment.insert(QStringLiteral("FAKE_GPU"), QStringLiteral("busy"));
    const Finished finished =
        runProgram(QStringLiteral("run --engine gpu:1 --widths 3 --epochs 9 --quiet --weights w.st")
                       .split(QLatin1Char(' ')),
                   folder.path(), environment);
    QCOMPARE(finished.exitStatus, 1);
    QVERIFY2(finished.errors.contains("the device is busy. End other programs on it."),
             finished.errors.constData());
    QVERIFY(!QFile::exists(folder.filePath(QStringLiteral("w.st"))));
}

void TestEngineFailure::theSameProcessTrainsOnTheCpuNext()
{
    RunSpec spec;
    spec.hiddenWidths = {7};
    spec.epochs = 400;
    const auto data = std::make_shared<const Dataset>(generateMnist1d());
    const NetworkShape shape = networkShape(spec, data->features(), data->classes);
    const TrainingProblem problem{data, initialParameters(shape, 1), {}, Precision::Fp32, 1};
    FakeScript script;
    script.throwAtEpoch = 200;
    const TrainingOutcome alone = trainInTerminal(cpuEngineChoice(), spec, problem, true);
    for (const bool takesParametersAlong : {false, true}) {
        script.takesParametersAlong = takesParametersAlong;
        const TrainingOutcome failed =
            trainInTerminal(fakeEngineChoice(script), spec, problem, true);
        QVERIFY(!failed.end.reason);
        QCOMPARE(failed.end.failure, script.throwText);
        QCOMPARE(failed.end.parameters.has_value(), !takesParametersAlong);
        QVERIFY(failed.log->epochs.size() > 0);
        QCOMPARE(script.observations->alive(), 0);

        const TrainingOutcome next = trainInTerminal(cpuEngineChoice(), spec, problem, true);
        QVERIFY(next.end.reason == StopReason::EpochsDone);
        QCOMPARE(next.log->epochs.size(), std::size_t(400));
        for (std::size_t epoch = 0; epoch < 400; ++epoch)
            QCOMPARE(next.log->epochs[epoch].loss, alone.log->epochs[epoch].loss);
    }
}

QTEST_GUILESS_MAIN(TestEngineFailure)
#include "tst_engine_failure.moc"
