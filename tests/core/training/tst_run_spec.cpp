// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/run_spec.h"

#include <QTest>

#include <limits>

using namespace fullbatch;

Q_DECLARE_METATYPE(fullbatch::RunSpec)
Q_DECLARE_METATYPE(fullbatch::Field)

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

RunSpec with(auto RunSpec::*member, auto value)
{
    RunSpec spec;
    spec.*member = std::move(value);
    return spec;
}

bool isOneSentence(const std::string& text)
{
    const QString message = QString::fromStdString(text);
    return message.size() > 20 && message.front().isUpper() && message.endsWith('.')
        && !message.contains(". ") && !message.contains('\n');
}

} // namespace

class RunSpecTest : public QObject
{
    Q_OBJECT

private slots:
    void isOneSentenceRefusesOthers()
    {
        QVERIFY(isOneSentence("The width is 0, but must be at least 1."));
        QVERIFY(!isOneSentence(""));
        QVERIFY(!isOneSentence("the width is 0, but must be at least 1."));
        QVERIFY(!isOneSentence("The width is 0. It must be at least 1."));
        QVERIFY(!isOneSentence("The width is 0, but must be at least 1"));
    }

    void usableSpecsHaveNoProblem_data()
    {
        QTest::addColumn<RunSpec>("spec");
        QTest::newRow("default") << RunSpec();
        QTest::newRow("no hidden layer")
            << with(&RunSpec::hiddenWidths, std::vector<std::int64_t>());
        QTest::newRow("wide") << with(&RunSpec::hiddenWidths,
                                      std::vector<std::int64_t>{1, 50'000'000, 1});
        QTest::newRow("tiny rate") << with(&RunSpec::learningRate, 1e-37);
        QTest::newRow("huge rate") << with(&RunSpec::learningRate, 1e12);
        QTest::newRow("momentum") << with(&RunSpec::momentum, 0.999);
        QTest::newRow("most epochs") << with(&RunSpec::epochs, RunSpec::maximumEpochs);
        QTest::newRow("seed 0") << with(&RunSpec::seed, 0U);
        QTest::newRow("largest seed") << with(&RunSpec::seed, 4'294'967'295U);
        QTest::newRow("most threads") << with(&RunSpec::threads, 1024);
        QTest::newRow("rare test") << with(&RunSpec::testEvery, largest);
        QTest::newRow("seconds") << with(&RunSpec::stopAfterSeconds, 0.5);
        QTest::newRow("a file") << with(&RunSpec::data, DataSpec{"data.csv", {}, {}});
        QTest::newRow("checksum") << with(&RunSpec::data,
                                          DataSpec{"data.csv", {}, std::string(64, 'a')});
    }

    void usableSpecsHaveNoProblem()
    {
        QFETCH(RunSpec, spec);
        const std::vector<FieldProblem> found = problems(spec);
        QVERIFY2(found.empty(), found.empty() ? "" : found.front().message.c_str());
    }

    void aWrongFieldIsNamedInOneSentence_data()
    {
        QTest::addColumn<RunSpec>("spec");
        QTest::addColumn<Field>("field");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const RunSpec& spec, Field field, const char* says) {
            QTest::newRow(name) << spec << field << says;
        };
        using Widths = std::vector<std::int64_t>;
        row("width 0", with(&RunSpec::hiddenWidths, Widths{63, 0, 63}), Field::HiddenWidths,
            "Hidden layer 2 has width 0");
        row("width -1", with(&RunSpec::hiddenWidths, Widths{-1}), Field::HiddenWidths,
            "at least 1");
        row("one absurd width", with(&RunSpec::hiddenWidths, Widths{largest}), Field::HiddenWidths,
            "2^60");
        row("an absurd product", with(&RunSpec::hiddenWidths, Widths{1LL << 32, 1LL << 32}),
            Field::HiddenWidths, "Hidden layer 2");
        row("initialisation", with(&RunSpec::initialisation, "zero"), Field::Initialisation,
            "he-uniform");
        row("rate 0", with(&RunSpec::learningRate, 0.0), Field::LearningRate, "is 0,");
        row("rate -1", with(&RunSpec::learningRate, -1.0), Field::LearningRate, "is -1,");
        row("rate nan", with(&RunSpec::learningRate, notANumber), Field::LearningRate, "is nan,");
        row("rate 1e999", with(&RunSpec::learningRate, infinity), Field::LearningRate,
            "at most 3.4e+38,");
        row("momentum 1", with(&RunSpec::momentum, 1.0), Field::Momentum, "less than 1");
        row("momentum -0.1", with(&RunSpec::momentum, -0.1), Field::Momentum, "is -0.1,");
        row("momentum nan", with(&RunSpec::momentum, notANumber), Field::Momentum, "is nan,");
        row("mini-batches", with(&RunSpec::batchSize, 128), Field::BatchSize,
            "mini-batches are not trained yet; only full batch");
        row("batch -1", with(&RunSpec::batchSize, -1), Field::BatchSize, "is -1,");
        row("epochs 0", with(&RunSpec::epochs, 0), Field::Epochs, "from 1 to 1,000,000,000");
        row("epochs -5", with(&RunSpec::epochs, -5), Field::Epochs, "is -5,");
        row("epochs 10^12", with(&RunSpec::epochs, 1'000'000'000'000), Field::Epochs,
            "is 1000000000000,");
        row("seed 2^32", with(&RunSpec::seed, 1ULL << 32U), Field::Seed, "4,294,967,295");
        row("no engine", with(&RunSpec::engine, ""), Field::Engine, "engine");
        row("precision", with(&RunSpec::precision, static_cast<Precision>(99)), Field::Precision,
            "fp32, tf32, bf16, fp16, fp64");
        row("threads -1", with(&RunSpec::threads, -1), Field::Threads, "from 1 to 1024, or 0");
        row("threads 1025", with(&RunSpec::threads, 1025), Field::Threads, "is 1025,");
        row("test -1", with(&RunSpec::testEvery, -1), Field::TestEvery, "every -1 epochs");
        row("zero error -1", with(&RunSpec::stopAfterZeroErrorEpochs, -1),
            Field::StopAfterZeroErrorEpochs, "after -1 epochs");
        row("seconds -1", with(&RunSpec::stopAfterSeconds, -1.0), Field::StopAfterSeconds,
            "is -1 seconds");
        row("seconds nan", with(&RunSpec::stopAfterSeconds, notANumber), Field::StopAfterSeconds,
            "is nan seconds");
        row("seconds inf", with(&RunSpec::stopAfterSeconds, infinity), Field::StopAfterSeconds,
            "is inf seconds");
        row("checksum", with(&RunSpec::data, DataSpec{"data.csv", {}, "E95257"}), Field::Data,
            "64 digits");
    }

    void aWrongFieldIsNamedInOneSentence()
    {
        QFETCH(RunSpec, spec);
        QFETCH(Field, field);
        QFETCH(QString, says);
        const std::vector<FieldProblem> found = problems(spec);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(found.front().field, field);
        QVERIFY2(isOneSentence(found.front().message), found.front().message.c_str());
        QVERIFY2(QString::fromStdString(found.front().message).contains(says),
                 found.front().message.c_str());
    }

    void aWrongRecipeIsAProblemOfTheDataUnlessAFileIsRead()
    {
        RunSpec spec;
        spec.data.recipe.samples = -10;
        QCOMPARE(problems(spec).size(), std::size_t(1));
        QCOMPARE(problems(spec).front().field, Field::Data);
        QVERIFY(isOneSentence(problems(spec).front().message));
        spec.data.file = "data.csv";
        QVERIFY(problems(spec).empty());
    }

    void allProblemsAreListedInTheOrderOfTheFields()
    {
        RunSpec spec;
        spec.seed = 1ULL << 40U;
        spec.learningRate = 0;
        spec.epochs = 0;
        spec.hiddenWidths = {0};
        std::vector<Field> fields;
        for (const FieldProblem& problem : problems(spec))
            fields.push_back(problem.field);
        QCOMPARE(fields,
                 (std::vector<Field>{Field::HiddenWidths, Field::LearningRate, Field::Epochs,
                                     Field::Seed}));
    }

    void theShapeHasTheDataAtItsEnds()
    {
        RunSpec spec;
        spec.hiddenWidths = {7, 5};
        QCOMPARE(networkShape(spec, 40, 10).text(), std::string("40-7-5-10"));
    }
};

QTEST_APPLESS_MAIN(RunSpecTest)
#include "tst_run_spec.moc"
