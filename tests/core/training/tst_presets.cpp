// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/presets.h"

#include <QTest>

#include <stdexcept>

using namespace fullbatch;

class PresetsTest : public QObject
{
    Q_OBJECT

private slots:
    void theFourNetworksOfTheFigure_data()
    {
        QTest::addColumn<int>("index");
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("widths");
        QTest::addColumn<qint64>("parameters");
        QTest::addColumn<qint64>("epochs");
        QTest::newRow("1") << 0 << "one-layer"
                           << "1 x 298" << 15'208LL << 500'000LL;
        QTest::newRow("2") << 1 << "two-layers"
                           << "2 x 100" << 15'210LL << 200'000LL;
        QTest::newRow("3") << 2 << "three-layers"
                           << "3 x 75" << 15'235LL << 200'000LL;
        QTest::newRow("4") << 3 << "four-layers"
                           << "4 x 63" << 15'319LL << 200'000LL;
    }

    void theFourNetworksOfTheFigure()
    {
        QFETCH(int, index);
        QFETCH(QString, name);
        QFETCH(QString, widths);
        QFETCH(qint64, parameters);
        QFETCH(qint64, epochs);
        QCOMPARE(figure202Presets().size(), std::size_t(4));
        const RunSpec spec = figure202Presets()[static_cast<std::size_t>(index)];
        QCOMPARE(QString::fromStdString(spec.name), name);
        QCOMPARE(QString::fromStdString(widthsText(spec.hiddenWidths)), widths);
        QCOMPARE(qint64(networkShape(spec, 40, 10).parameterCount()), parameters);
        QCOMPARE(qint64(spec.epochs), epochs);
        QCOMPARE(spec.learningRate, 0.0025);
        QCOMPARE(spec.optimiser.momentum, 0.0);
        QCOMPARE(spec.seed, std::uint64_t(1));
        QCOMPARE(spec.testEvery, std::int64_t(0));
        QVERIFY(problems(spec).empty());
        QCOMPARE(presetByName(spec.name).runs, std::vector{spec});
    }

    void everyBuiltInPresetCanBeRunAndWrittenAndReadAgain()
    {
        QCOMPARE(builtInPresets().size(), std::size_t(6));
        for (const Preset& preset : builtInPresets()) {
            QVERIFY2(!preset.title.empty() && !preset.text.empty(), preset.id.c_str());
            for (const RunSpec& run : preset.runs)
                QVERIFY2(problems(run).empty(), preset.id.c_str());
            const Preset again = presetFromJson(toJson(preset), "It");
            QCOMPARE(again.title, preset.title);
            QCOMPARE(again.place, preset.place);
            QCOMPARE(again.text, preset.text);
            QCOMPARE(again.charts, preset.charts);
            QCOMPARE(again.runs, preset.runs);
            QCOMPARE(presetByName(preset.id).runs, preset.runs);
        }
    }

    void theNotebookOnRandomData()
    {
        const std::vector<RunSpec> runs = presetByName("notebook-20-1").runs;
        QCOMPARE(runs.size(), std::size_t(3));
        for (const RunSpec& run : runs) {
            QCOMPARE(widthsText(run.hiddenWidths), std::string("4 x 300"));
            QCOMPARE(run.learningRate, 0.02);
            QCOMPARE(run.optimiser, (Optimiser{0.9}));
            QCOMPARE(run.schedule, (LearningRateSchedule{ScheduleKind::Step, 20, 0.5}));
            QCOMPARE(run.batches, (Batches{100, true}));
            QCOMPARE(run.epochs, std::int64_t(60));
        }
        QCOMPARE(runs[0].data.corruption, Corruption());
        QCOMPARE(runs[1].data.corruption, (Corruption{false, true}));
        QCOMPARE(runs[2].data.corruption, (Corruption{true}));
    }

    void theBatchSizesDoEqualWork()
    {
        for (const RunSpec& run : presetByName("batch-size").runs)
            QCOMPARE(run.epochs, presetByName("batch-size").runs.front().epochs);
    }

    void theDepthsHaveAboutEquallyManyParameters()
    {
        for (const RunSpec& run : presetByName("depth").runs) {
            const double share =
                static_cast<double>(networkShape(run, 40, 10).parameterCount()) / 15'319;
            QVERIFY2(share > 0.98 && share < 1.02, widthsText(run.hiddenWidths).c_str());
        }
    }

    void whatIsWrongInAFileIsSaidWithItsPlace_data()
    {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const QByteArray& text, const char* says) {
            QTest::newRow(name) << text << says;
        };
        row("empty", "", "line 1, column 1");
        row("no title", R"({"presetVersion": 1, "runs": [{}]})", "\"title\"");
        row("no runs", R"({"presetVersion": 1, "title": "t"})", "\"runs\"");
        row("an empty list", R"({"presetVersion": 1, "title": "t", "runs": []})", "\"runs\"");
        row("newer", R"({"presetVersion": 2, "title": "t", "runs": [{}]})", "version");
        row("unknown key", "{\"presetVersion\": 1, \"title\": \"t\",\n \"colour\": 1}",
            "unknown key \"colour\" (line 2, column 2)");
        row("unknown field of a run",
            "{\"presetVersion\": 1, \"title\": \"t\", \"runs\": [{},\n {\"epoch\": 3}]}",
            "unknown key \"runs[1].epoch\" (line 2, column 3)");
        row("unknown common field",
            R"({"presetVersion": 1, "title": "t", "common": {"rate": 1}, "runs": [{}]})",
            "unknown key \"common.rate\"");
        row("wrong type",
            "{\"presetVersion\": 1, \"title\": \"t\", \"runs\": [\n{\"epochs\": \"3\"}]}",
            "\"runs[0].epochs\" (line 2, column 2)");
        row("wrong value",
            "{\"presetVersion\": 1, \"title\": \"t\", \"runs\": [{},\n{\"momentum\": 1.5}]}",
            "line 2, column 2");
        row("unknown chart",
            R"({"presetVersion": 1, "title": "t", "charts": ["errors"], "runs": [{}]})", "charts");
    }

    void whatIsWrongInAFileIsSaidWithItsPlace()
    {
        QFETCH(QByteArray, text);
        QFETCH(QString, says);
        try {
            (void)presetFromJson(text.toStdString(), "The preset p.json");
            QFAIL("accepted");
        } catch (const std::invalid_argument& error) {
            const QString message = error.what();
            QVERIFY2(message.contains(says), error.what());
            QVERIFY2(message.startsWith("The preset p.json ") && message.endsWith('.'),
                     error.what());
            QVERIFY2(!message.contains(". ") && !message.contains('\n'), error.what());
        }
    }

    void anUnknownNameIsAnsweredWithTheNamesThereAre()
    {
        try {
            (void)presetByName("five-layers");
            QFAIL("accepted");
        } catch (const std::invalid_argument& error) {
            const QString message = error.what();
            QVERIFY2(message.startsWith("There is no preset \"five-layers\""), error.what());
            for (const char* name : {"figure-20-2", "notebook-20-1", "four-layers"})
                QVERIFY2(message.contains(name), error.what());
        }
    }
};

QTEST_APPLESS_MAIN(PresetsTest)
#include "tst_presets.moc"
