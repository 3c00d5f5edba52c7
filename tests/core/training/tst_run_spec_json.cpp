// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/precision_names.h"
#include "core/training/fields/run_fields.h"
#include "core/training/presets.h"
#include "core/training/run_spec.h"

#include <QTest>

#include <limits>
#include <stdexcept>

using namespace fullbatch;

namespace {

/// Nothing in it has its default value.
RunSpec unusualSpec()
{
    RunSpec spec;
    spec.name = "实验 é \"1\"\n";
    spec.data.file = "folder/100 %/data.npz";
    spec.data.recipe = {6000, 0.1, 30, 50, 0.3, 40, 1.0 / 3, 5e-324, 0.7, 42, 4'294'967'295U};
    spec.data.sha256 = std::string(64, 'e');
    spec.hiddenWidths = {1, 9'007'199'254'740'993, 3};
    spec.data.corruption = {true, true, 12.5, 4'294'967'295U};
    spec.activation = LayerKind::Gelu;
    spec.initialisation = Initialisation::XavierNormal;
    spec.learningRate = 0.1 + 0.2;
    spec.schedule = {ScheduleKind::Cosine, 7, 0.25, 11};
    spec.optimiser = {0.9, true};
    spec.batches = {128, true, true};
    spec.epochs = 999'999'999;
    spec.seed = std::numeric_limits<std::uint64_t>::max();
    spec.engine = "gpu:1";
    spec.precision = Precision::Bf16;
    spec.threads = 7;
    spec.testEvery = 50;
    spec.ends = {100, 0.5, 3, 1.7976931348623157e308};
    return spec;
}

/// The refusal's sentence; empty when the text was accepted.
QString refusal(const std::string& text)
{
    try {
        (void)runSpecFromJson(text);
    } catch (const std::invalid_argument& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class RunSpecJsonTest : public QObject
{
    Q_OBJECT

private slots:
    void everyFieldSurvivesTheRoundTrip()
    {
        const RunSpec spec = unusualSpec();
        QVERIFY(!(spec == RunSpec()));
        QVERIFY(runSpecFromJson(toJson(spec)) == spec);
        QCOMPARE(toJson(runSpecFromJson(toJson(spec))), toJson(spec));
        for (const Preset& preset : builtInPresets())
            for (const RunSpec& run : preset.runs)
                QVERIFY(runSpecFromJson(toJson(run)) == run);
    }

    void nothingInTheUnusualSpecIsADefault()
    {
        for (const RunField& field : runFields())
            QVERIFY2(field.get(unusualSpec()) != field.get(RunSpec()),
                     std::string(field.key).c_str());
    }

    void aSpecOfVersion1IsReadAsItWasMeant()
    {
        const RunSpec spec = runSpecFromJson(R"({
  "version": 1, "name": "old", "hiddenWidths": [3, 4], "initialisation": "he-uniform",
  "learningRate": 0.01, "momentum": 0.9, "batchSize": 0, "epochs": 12, "seed": 5,
  "engine": "reference", "precision": "fp64", "threads": 2, "testEvery": 3,
  "stopAfterZeroErrorEpochs": 4, "stopAfterSeconds": 1.5,
  "data": {"file": "a.csv", "sha256": ""}})");
        RunSpec meant;
        meant.name = "old";
        meant.data.file = "a.csv";
        meant.hiddenWidths = {3, 4};
        meant.learningRate = 0.01;
        meant.optimiser.momentum = 0.9;
        meant.epochs = 12;
        meant.seed = 5;
        meant.engine = "reference";
        meant.precision = Precision::Fp64;
        meant.threads = 2;
        meant.testEvery = 3;
        meant.ends.zeroErrorEpochs = 4;
        meant.ends.seconds = 1.5;
        QVERIFY(spec == meant);
    }

    void doublesAreExact()
    {
        for (const double rate :
             {0.0025, 2.5e-3, 1e-5, 0.1, 1.0 / 3, 5e-324, 2.2250738585072011e-308, 1e12}) {
            RunSpec spec;
            spec.learningRate = rate;
            QCOMPARE(runSpecFromJson(toJson(spec)).learningRate, rate);
        }
    }

    void keysStandInTheOrderOfTheFields()
    {
        const QString text = QString::fromStdString(toJson(RunSpec()));
        QVERIFY(text.startsWith("{\n  \"version\": 2,\n  \"name\": \"\","));
        int before = 0;
        for (const char* key : {"version",
                                "name",
                                "data",
                                "hiddenWidths",
                                "activation",
                                "initialisation",
                                "learningRate",
                                "\"schedule",
                                "stepEpochs",
                                "warmUpEpochs",
                                "momentum",
                                "nesterov",
                                "batchSize",
                                "shuffle",
                                "dropLast",
                                "epochs\": 2",
                                "\n  \"seed",
                                "testEvery",
                                "stopAfterZeroErrorEpochs",
                                "stopAtErrorPercent",
                                "stopAfterTestsWithoutGain",
                                "stopAfterSeconds",
                                "engine",
                                "precision",
                                "threads"}) {
            const auto at = static_cast<int>(text.indexOf(key));
            QVERIFY2(at > before, key);
            before = at;
        }
    }

    void missingKeysKeepTheirDefaults()
    {
        QVERIFY(runSpecFromJson("{}") == RunSpec());
        RunSpec spec;
        spec.data.recipe.seed = 43;
        spec.epochs = 10;
        QVERIFY(runSpecFromJson(R"({"epochs": 10, "data": {"recipe": {"seed": 43}}})") == spec);
    }

    void whatIsWrongIsSaidInOneSentence_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QByteArray& text, const char* says) {
            QTest::newRow(name) << text << says;
        };
        row("empty", "", "line 1, column 1");
        row("not JSON", "<html>", "not valid JSON in UTF-8");
        row("cut off", "{\"epochs\": 10,\n \"seed\"", "line 2");
        row("two documents", "{} {}", "column 4");
        row("comma at the end", "{\"epochs\": 10,}", "not valid JSON");
        row("not UTF-8", "{\"name\": \"\xff\"}", "not valid JSON in UTF-8");
        row("half a character", "{\"name\": \"\xe5\xae\"}", "not valid JSON in UTF-8");
        row("a list", "[]", "JSON object");
        row("a number", "3", "JSON object");
        row("deep", QByteArray(100'000, '['), "not valid JSON");
        row("unknown key", "{\"learningrate\": 0.1}", "unknown key \"learningrate\"");
        row("unknown inner key", "{\"data\": {\"recipe\": {\"sead\": 1}}}",
            "unknown key \"data.recipe.sead\"");
        row("text for a number", "{\"learningRate\": \"0.1\"}", "a number as \"learningRate\"");
        row("null for a number", "{\"momentum\": null}", "a number as \"momentum\"");
        row("fraction of an epoch", "{\"epochs\": 10.5}", "to 9223372036854775807 as \"epochs\"");
        row("beyond 64 bits", "{\"epochs\": 18446744073709551616}", "whole number");
        row("beyond signed 64 bits", "{\"epochs\": 18446744073709551615}",
            "from -9223372036854775808 to 9223372036854775807");
        row("beyond 32 bits", "{\"threads\": 3000000000}", "to 2147483647");
        row("negative seed", "{\"seed\": -1}", "from 0 to 18446744073709551615");
        row("number for a text", "{\"engine\": 3}", "a text as \"engine\"");
        row("number for a list", "{\"hiddenWidths\": 63}", "a list of whole numbers");
        row("text in a list", "{\"hiddenWidths\": [63, \"63\"]}", "\"hiddenWidths[1]\"");
        row("precision", "{\"precision\": \"fp8\"}", "one of fp32, tf32, bf16, fp16, fp64");
        row("data as text", "{\"data\": \"mnist1d\"}", "JSON object as \"data\"");
        row("too large", "{\"learningRate\": 1e999}", "1.8e308");
        row("newer", "{\"version\": 3, \"newKey\": 1}", "versions up to 2");
        row("the place", "{\"epochs\": 10,\n \"seed\": true}", "line 2, column 2");
        row("activation", "{\"activation\": \"swish\"}",
            "one of relu, leaky-relu, tanh, sigmoid, gelu as \"activation\"");
        row("number for a flag", "{\"shuffle\": 1}", "true or false as \"shuffle\"");
        row("version 0", "{\"version\": 0}", "begin with 1");
        row("version as text", "{\"version\": \"1\"}", "\"version\"");
    }

    void whatIsWrongIsSaidInOneSentence()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        const QString message = refusal(text.toStdString());
        QVERIFY2(message.contains(says), qPrintable(message));
        QVERIFY2(message.startsWith("The run description ") && message.endsWith('.'),
                 qPrintable(message));
        QVERIFY2(!message.contains(". ") && !message.contains('\n'), qPrintable(message));
    }

    void bytesThatAreNotUtf8AreReplacedWhenWritten()
    {
        RunSpec spec;
        spec.name = "bad \xff name";
        QCOMPARE(runSpecFromJson(toJson(spec)).name, std::string("bad \xef\xbf\xbd name"));
    }

    void aNumberThatIsNotFiniteIsNotReadBack()
    {
        RunSpec spec;
        spec.learningRate = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(refusal(toJson(spec)).contains("learningRate"));
    }

    void precisionNamesAreEachOthersInverse()
    {
        for (const auto precision :
             {Precision::Fp32, Precision::Tf32, Precision::Bf16, Precision::Fp16, Precision::Fp64})
            QCOMPARE(precisionFromName(precisionName(precision)), std::optional(precision));
        QVERIFY(!precisionFromName("FP32"));
        QVERIFY(!precisionFromName(""));
        QVERIFY(precisionName(static_cast<Precision>(99)).empty());
    }
};

QTEST_APPLESS_MAIN(RunSpecJsonTest)
#include "tst_run_spec_json.moc"
