// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/fields/run_names.h"

#include "core/training/presets.h"

#include <QTest>

using namespace fullbatch;

using Names = std::vector<std::string>;

namespace {

RunSpec spec(std::size_t depth, std::int64_t width)
{
    RunSpec run;
    run.hiddenWidths.assign(depth, width);
    return run;
}

Names namesOf(const std::vector<RunSpec>& runs)
{
    return runNames(runs);
}

} // namespace

class RunNamesTest : public QObject
{
    Q_OBJECT

private slots:
    void depthAndWidthSuffice()
    {
        QCOMPARE(namesOf({}), Names());
        QCOMPARE(namesOf({spec(4, 63)}), Names{"4 x 63"});
        QCOMPARE(namesOf({spec(1, 298), spec(2, 100), spec(3, 75), spec(4, 63)}),
                 (Names{"1 x 298", "2 x 100", "3 x 75", "4 x 63"}));
    }

    void whatChangesTheExperimentIsNamedOnEveryRun()
    {
        std::vector<RunSpec> runs{spec(4, 63), spec(4, 63), spec(2, 100)};
        runs[1].learningRate = 0.01;
        QCOMPARE(namesOf(runs),
                 (Names{"4 x 63, rate 0.0025", "4 x 63, rate 0.01", "2 x 100, rate 0.0025"}));
        runs[2].optimiser.momentum = 0.9;
        QCOMPARE(namesOf(runs).back(), std::string("2 x 100, rate 0.0025, momentum 0.9"));
    }

    void seedAndEngineAreNamedOnlyWhereTheyTellApart()
    {
        std::vector<RunSpec> runs{spec(4, 63), spec(4, 63), spec(2, 100)};
        runs[1].seed = 2;
        runs[2].seed = 3;
        QCOMPARE(namesOf(runs), (Names{"4 x 63, seed 1", "4 x 63, seed 2", "2 x 100"}));
        runs[2].engine = "gpu";
        QCOMPARE(namesOf(runs), (Names{"4 x 63, seed 1", "4 x 63, seed 2", "2 x 100"}));
        runs[1].seed = 1;
        runs[1].engine = "reference";
        QCOMPARE(namesOf(runs), (Names{"4 x 63, cpu", "4 x 63, reference", "2 x 100"}));
    }

    void seedAndEngineTogether()
    {
        std::vector<RunSpec> runs(4, spec(4, 63));
        runs[1].engine = "gpu";
        runs[2].seed = 2;
        runs[3].seed = 2;
        runs[3].engine = "gpu";
        QCOMPARE(namesOf(runs),
                 (Names{"4 x 63, seed 1, cpu", "4 x 63, seed 1, gpu", "4 x 63, seed 2, cpu",
                        "4 x 63, seed 2, gpu"}));
    }

    void aReducedPrecisionIsAlwaysNamed()
    {
        std::vector<RunSpec> runs{spec(4, 63), spec(4, 63)};
        runs[1].engine = "reference";
        runs[1].precision = Precision::Fp64;
        QCOMPARE(namesOf(runs), (Names{"4 x 63, cpu", "4 x 63, reference"}));
        runs[1].precision = Precision::Tf32;
        QCOMPARE(namesOf(runs), (Names{"4 x 63", "4 x 63, tf32"}));
        QCOMPARE(namesOf({runs[1]}), Names{"4 x 63, tf32"});
    }

    void differentDataAreNamed()
    {
        std::vector<RunSpec> runs(4, spec(4, 63));
        runs[1].data.file = "/some/folder/实验.npz";
        runs[2].data.recipe.seed = 43;
        runs[3].data.recipe.shear = 0;
        QCOMPARE(namesOf(runs),
                 (Names{"4 x 63, MNIST-1D", "4 x 63, 实验.npz", "4 x 63, MNIST-1D with seed 43",
                        "4 x 63, MNIST-1D by another recipe"}));
    }

    void aNameOfItsOwnStandsBeforeTheShape()
    {
        std::vector<RunSpec> runs = presetByName("figure-20-2").runs;
        QCOMPARE(namesOf(runs).back(), std::string("four-layers (4 x 63)"));
        runs.push_back(spec(4, 63));
        QCOMPARE(namesOf(runs).back(), std::string("4 x 63"));
        runs.push_back(runs[3]);
        runs.back().seed = 2;
        QCOMPARE(namesOf(runs)[0], std::string("one-layer (1 x 298)"));
        QCOMPARE(namesOf(runs)[3], std::string("4 x 63, seed 1"));
        QCOMPARE(namesOf(runs)[4], std::string("4 x 63, seed 1 (2)"));
        QCOMPARE(namesOf(runs)[5], std::string("4 x 63, seed 2"));
    }

    void runsThatAreAlikeAreNumbered()
    {
        QCOMPARE(namesOf({spec(4, 63), spec(4, 63), spec(4, 63)}),
                 (Names{"4 x 63", "4 x 63 (2)", "4 x 63 (3)"}));
    }

    void allNamesDiffer()
    {
        std::vector<RunSpec> runs;
        for (unsigned bits = 0; bits < 256; ++bits) {
            RunSpec run = spec((bits & 1U) != 0 ? 4 : 2, 63);
            run.learningRate = (bits & 2U) != 0 ? 0.1 : 0.2;
            run.seed = (bits & 4U) != 0 ? 1 : 2;
            run.engine = (bits & 8U) != 0 ? "cpu" : "gpu";
            run.name = (bits & 16U) != 0 ? "4 x 63" : "";
            run.threads = (bits & 32U) != 0 ? 1 : 2;
            run.epochs = (bits & 64U) != 0 ? 10 : 20;
            runs.push_back(run);
        }
        Names names = namesOf(runs);
        std::sort(names.begin(), names.end());
        QVERIFY(std::adjacent_find(names.begin(), names.end()) == names.end());
    }
};

QTEST_APPLESS_MAIN(RunNamesTest)
#include "tst_run_names.moc"
