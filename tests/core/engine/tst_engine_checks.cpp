// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/engine_checks.h"
#include "tests/core/engine/spoilt_engine.h"

#include <QtTest>

using namespace fullbatch;

namespace {

CheckResult runCheck(const QString& name, Fault fault)
{
    const EngineChoice choice = spoiltEngineChoice(fault);
    for (const EngineCheck& check : engineChecks(choice, Precision::Fp32)) {
        if (name == QString::fromStdString(check.name))
            return check.run(choice, Precision::Fp32);
    }
    qFatal("There is no check called %s.", qPrintable(name));
    return {};
}

} // namespace

/// Each engine check against an engine with the fault that it is there for.
class TestEngineChecks : public QObject
{
    Q_OBJECT

private slots:
    void noticesTheFault_data()
    {
        QTest::addColumn<int>("fault");
        QTest::addColumn<QString>("check");
        const auto row = [](Fault fault, const char* check) {
            QTest::addRow("%d: %s", static_cast<int>(fault), check)
                << static_cast<int>(fault) << QString::fromLatin1(check);
        };
        row(Fault::GradientScaled, "gradient near reference, 7-13-5-3");
        row(Fault::GradientScaled, "steps follow the gradient");
        row(Fault::GradientIgnoresRows, "gradient near reference, 7-13-5-3");
        row(Fault::LossShifted, "loss, gradient norm and logits near reference");
        row(Fault::LossShifted, "descent near reference, batches of 257");
        row(Fault::LossShifted, "equal logits give ln 10");
        row(Fault::PredictionDigestWrong, "digest and wrong rows agree with predict");
        row(Fault::WrongRowsOffByOne, "digest and wrong rows agree with predict");
        row(Fault::WrongRowsOffByOne, "equal logits give ln 10");
        row(Fault::LogitsScaled, "loss, gradient norm and logits near reference");
        row(Fault::EvaluationShifted, "evaluate agrees with the record and changes nothing");
        row(Fault::EvaluationTrains, "evaluate agrees with the record and changes nothing");
        row(Fault::MomentumForgotten, "steps follow the gradient with momentum");
        row(Fault::MomentumForgotten, "same bits in one chunk of 100 and 100 of 1");
        row(Fault::FirstRateForAll, "each epoch has its own learning rate");
        row(Fault::BitsDependOnThreads, "same bits for 1, 2, 3, 8 threads");
        row(Fault::BitsDependOnChunks, "same bits in one chunk of 100 and 100 of 1");
        row(Fault::StateLosesVelocity, "same bits when continued from a state");
        row(Fault::StopKeepsHalfAnEpoch, "a stopped epoch leaves no trace");
        row(Fault::StopKeepsHalfAnEpoch, "a stop before the first epoch changes nothing");
        row(Fault::StopIgnored, "a stop before the first epoch changes nothing");
        row(Fault::KeepsTheOverflow, "a diverging run keeps the last finite parameters");
        row(Fault::KeepsTheOverflow, "a hopeless start is kept");
        row(Fault::StopsLate, "a diverging run keeps the last finite parameters");
        row(Fault::Allocates, "an epoch allocates nothing");
        row(Fault::AcceptsEverything, "bad problems are refused");
        row(Fault::AcceptsEverything, "bad calls are refused and change nothing");
    }
    void noticesTheFault()
    {
        QFETCH(int, fault);
        QFETCH(QString, check);
        const CheckResult result = runCheck(check, static_cast<Fault>(fault));
        QVERIFY2(!result.passed, qPrintable(QString::fromStdString(result.text)));
    }

    void passesWithoutAFault()
    {
        const CheckResult result =
            runCheck(QStringLiteral("steps follow the gradient with momentum"), Fault::None);
        QVERIFY2(result.passed, qPrintable(QString::fromStdString(result.text)));
    }
};

QTEST_APPLESS_MAIN(TestEngineChecks)
#include "tst_engine_checks.moc"
