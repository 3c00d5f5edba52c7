// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/fields/run_fields.h"
#include "core/training/run_spec.h"

#include <QTest>

#include <limits>

using namespace fullbatch;

Q_DECLARE_METATYPE(fullbatch::RunSpec)

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

RunSpec with(auto&& change)
{
    RunSpec spec;
    change(spec);
    return spec;
}

RunSpec with(auto RunSpec::*member, auto value)
{
    return with([&](RunSpec& spec) { spec.*member = std::move(value); });
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
        QTest::newRow("momentum") << with([](RunSpec& spec) { spec.optimiser = {0.999, true}; });
        QTest::newRow("mini-batches") << with([](RunSpec& spec) {
            spec.batches = {1, true, true};
        });
        QTest::newRow("schedule") << with([](RunSpec& spec) {
            spec.schedule = {ScheduleKind::Step, 1, 1.0, 1'000'000};
        });
        QTest::newRow("spoilt data") << with([](RunSpec& spec) {
            spec.data.corruption = {true, true, 100, 4'294'967'295U};
        });
        QTest::newRow("ends") << with([](RunSpec& spec) {
            spec.testEvery = 1;
            spec.ends = {1, 100, 1, 0.5};
        });
        QTest::newRow("most epochs") << with(&RunSpec::epochs, RunSpec::maximumEpochs);
        QTest::newRow("seed 0") << with(&RunSpec::seed, 0U);
        QTest::newRow("largest seed") << with(&RunSpec::seed, 4'294'967'295U);
        QTest::newRow("most threads") << with(&RunSpec::threads, 1024);
        QTest::newRow("rare test") << with(&RunSpec::testEvery, largest);
        QTest::newRow("a file") << with([](RunSpec& spec) { spec.data.file = "data.csv"; });
        QTest::newRow("checksum") << with(
            [](RunSpec& spec) { spec.data.sha256 = std::string(64, 'a'); });
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
        QTest::addColumn<QString>("field");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* field, const RunSpec& spec,
                            const char* says) { QTest::newRow(name) << spec << field << says; };
        using Widths = std::vector<std::int64_t>;
        const auto widths = [&](const char* name, const Widths& value, const char* says) {
            row(name, "hiddenWidths", with(&RunSpec::hiddenWidths, value), says);
        };
        widths("width 0", {63, 0, 63}, "Hidden layer 2 has width 0");
        widths("width -1", {-1}, "at least 1");
        widths("one absurd width", {largest}, "2^60");
        widths("an absurd product", {1LL << 32, 1LL << 32}, "Hidden layer 2");
        const auto rate = [&](const char* name, double value, const char* says) {
            row(name, "learningRate", with(&RunSpec::learningRate, value), says);
        };
        rate("rate 0", 0.0, "is 0,");
        rate("rate -1", -1.0, "is -1,");
        rate("rate nan", notANumber, "is nan,");
        rate("rate 1e999", infinity, "at most 3.4e+38,");
        const auto schedule = [&](const char* name, const char* field,
                                  const LearningRateSchedule& value, const char* says) {
            row(name, field, with(&RunSpec::schedule, value), says);
        };
        schedule("step 0", "stepEpochs", {ScheduleKind::Step, 0, 0.5, 0}, "from 1 up");
        schedule("factor 0", "stepFactor", {ScheduleKind::Step, 20, 0, 0}, "at most 1");
        schedule("factor 1.1", "stepFactor", {ScheduleKind::Step, 20, 1.1, 0}, "is 1.1,");
        schedule("warm-up -1", "warmUpEpochs", {ScheduleKind::Cosine, 20, 0.5, -1}, "is -1,");
        const auto momentum = [&](const char* name, double value, const char* says) {
            row(name, "momentum", with(&RunSpec::optimiser, Optimiser{value}), says);
        };
        momentum("momentum 1", 1.0, "less than 1");
        momentum("momentum -0.1", -0.1, "is -0.1,");
        momentum("momentum nan", notANumber, "is nan,");
        row("nesterov alone", "nesterov", with(&RunSpec::optimiser, Optimiser{0, true}),
            "momentum is 0");
        row("batch -1", "batchSize", with(&RunSpec::batches, Batches{-1}), "is -1,");
        row("random labels -1", "data.randomLabelPercent",
            with([](RunSpec& spec) { spec.data.corruption.randomLabelPercent = -1; }),
            "from 0 to 100");
        row("random labels nan", "data.randomLabelPercent",
            with([](RunSpec& spec) { spec.data.corruption.randomLabelPercent = notANumber; }),
            "is nan,");
        row("epochs 0", "epochs", with(&RunSpec::epochs, 0), "from 1 to 1,000,000,000");
        row("epochs -5", "epochs", with(&RunSpec::epochs, -5), "is -5,");
        row("epochs 10^12", "epochs", with(&RunSpec::epochs, 1'000'000'000'000),
            "is 1000000000000,");
        row("seed 2^32", "seed", with(&RunSpec::seed, 1ULL << 32U), "4,294,967,295");
        row("no engine", "engine", with(&RunSpec::engine, ""), "engine");
        row("precision", "precision", with(&RunSpec::precision, static_cast<Precision>(99)),
            "fp32, tf32, bf16, fp16, fp64");
        row("threads -1", "threads", with(&RunSpec::threads, -1), "from 1 to 1024, or 0");
        row("threads 1025", "threads", with(&RunSpec::threads, 1025), "is 1025,");
        row("test -1", "testEvery", with(&RunSpec::testEvery, -1), "is -1,");
        const auto ends = [&](const char* name, const char* field, const EarlyEnds& value,
                              const char* says) {
            row(name, field, with(&RunSpec::ends, value), says);
        };
        ends("zero error -1", "stopAfterZeroErrorEpochs", {-1}, "is -1,");
        ends("error 101", "stopAtErrorPercent", {0, 101}, "is 101,");
        ends("patience -1", "stopAfterTestsWithoutGain", {0, 0, -1}, "is -1,");
        ends("patience without tests", "stopAfterTestsWithoutGain", {0, 0, 3}, "never ");
        ends("seconds -1", "stopAfterSeconds", {0, 0, 0, -1.0}, "is -1,");
        ends("seconds nan", "stopAfterSeconds", {0, 0, 0, notANumber}, "is nan,");
        ends("seconds inf", "stopAfterSeconds", {0, 0, 0, infinity}, "is inf,");
        row("checksum", "data.sha256", with([](RunSpec& spec) { spec.data.sha256 = "E95257"; }),
            "64 digits");
    }

    void aWrongFieldIsNamedInOneSentence()
    {
        QFETCH(RunSpec, spec);
        QFETCH(QString, field);
        QFETCH(QString, says);
        const std::vector<FieldProblem> found = problems(spec);
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(std::string(found.front().field->key)), field);
        QVERIFY2(isOneSentence(found.front().message), found.front().message.c_str());
        QVERIFY2(QString::fromStdString(found.front().message).contains(says),
                 found.front().message.c_str());
    }

    void whatHasNoEffectMakesNoDifference()
    {
        const RunSpec idle = with([](RunSpec& spec) {
            spec.schedule.stepEpochs = 7;
            spec.batches.dropLast = true;
            spec.data.corruption.seed = 7;
        });
        QVERIFY(!(idle == RunSpec()));
        QVERIFY(problems(idle).empty());
        QVERIFY(withoutIdleFields(idle) == RunSpec());
        const RunSpec batches = with(&RunSpec::batches, Batches{10, false, true});
        QVERIFY(withoutIdleFields(batches) == batches);
    }

    void aWrongRecipeIsAProblemOfTheDataUnlessAFileIsRead()
    {
        RunSpec spec;
        spec.data.recipe.samples = -10;
        QCOMPARE(problems(spec).size(), std::size_t(1));
        QCOMPARE(problems(spec).front().field, &runField("data.file"));
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
        std::vector<std::string_view> keys;
        for (const FieldProblem& problem : problems(spec))
            keys.push_back(problem.field->key);
        QCOMPARE(keys,
                 (std::vector<std::string_view>{"hiddenWidths", "learningRate", "epochs", "seed"}));
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
