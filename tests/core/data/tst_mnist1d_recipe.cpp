// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/mnist1d.h"

#include <QTest>

#include <functional>
#include <limits>

using namespace fullbatch;

using Change = std::function<void(Mnist1dRecipe&)>;
Q_DECLARE_METATYPE(Change)

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

Mnist1dRecipe shortRecipe()
{
    Mnist1dRecipe recipe;
    recipe.samples = 50;
    return recipe;
}

bool same(const Eigen::MatrixXf& left, const Eigen::MatrixXf& right)
{
    return left.rows() == right.rows() && left.cols() == right.cols() && left == right;
}

void row(const char* name, const Change& change)
{
    QTest::newRow(name) << change;
}

} // namespace

class TestMnist1dRecipe : public QObject
{
    Q_OBJECT

private slots:
    void everyParameterChangesTheData_data()
    {
        QTest::addColumn<Change>("change");
        row("samples", [](Mnist1dRecipe& recipe) { recipe.samples = 60; });
        row("least padding", [](Mnist1dRecipe& recipe) { recipe.minimumPadding = 0; });
        row("most padding", [](Mnist1dRecipe& recipe) { recipe.maximumPadding = 100; });
        row("scale", [](Mnist1dRecipe& recipe) { recipe.scale = 0; });
        row("translation", [](Mnist1dRecipe& recipe) { recipe.maximumTranslation = 3; });
        row("no translation", [](Mnist1dRecipe& recipe) { recipe.maximumTranslation = 0; });
        row("correlated noise", [](Mnist1dRecipe& recipe) { recipe.correlatedNoise = 0; });
        row("independent noise", [](Mnist1dRecipe& recipe) { recipe.independentNoise = 0.5; });
        row("shear", [](Mnist1dRecipe& recipe) { recipe.shear = 0; });
        row("length", [](Mnist1dRecipe& recipe) { recipe.length = 72; });
        row("seed", [](Mnist1dRecipe& recipe) { recipe.seed = 4294967295U; });
    }
    void everyParameterChangesTheData()
    {
        QFETCH(Change, change);
        Mnist1dRecipe recipe = shortRecipe();
        const Dataset usual = generateMnist1d(recipe);
        QVERIFY(same(usual.train.inputs, generateMnist1d(recipe).train.inputs));
        change(recipe);
        const Dataset changed = generateMnist1d(recipe);
        check(changed);
        QCOMPARE(changed.features(), Eigen::Index{recipe.length});
        QCOMPARE(changed.train.rows() + changed.test.rows(),
                 static_cast<std::size_t>(recipe.samples));
        QVERIFY(!same(changed.train.inputs, usual.train.inputs));
        QVERIFY(changed.source != usual.source);
    }

    void fractionDividesTheSameRows()
    {
        Mnist1dRecipe recipe = shortRecipe();
        const Dataset usual = generateMnist1d(recipe);
        recipe.trainFraction = 1;
        const Dataset whole = generateMnist1d(recipe);
        QCOMPARE(whole.test.rows(), std::size_t{0});
        check(whole);
        QVERIFY(same(whole.train.inputs.leftCols(40), usual.train.inputs));
        QVERIFY(same(whole.train.inputs.rightCols(10), usual.test.inputs));
    }

    void sourceTellsWhatDiffers()
    {
        Mnist1dRecipe recipe = shortRecipe();
        recipe.shear = 0.5;
        QCOMPARE(description(recipe),
                 std::string("MNIST-1D, generated, seed 42, samples 50, shear 0.5"));
    }

    void refusesBadParameters_data()
    {
        QTest::addColumn<Change>("change");
        row("samples 0", [](Mnist1dRecipe& recipe) { recipe.samples = 0; });
        row("samples -10", [](Mnist1dRecipe& recipe) { recipe.samples = -10; });
        row("samples 15", [](Mnist1dRecipe& recipe) { recipe.samples = 15; });
        row("samples 10^12", [](Mnist1dRecipe& recipe) { recipe.samples = 1'000'000'000'000; });
        row("samples largest", [](Mnist1dRecipe& recipe) { recipe.samples = largest - 7; });
        row("fraction 0", [](Mnist1dRecipe& recipe) { recipe.trainFraction = 0; });
        row("fraction 1e-9", [](Mnist1dRecipe& recipe) { recipe.trainFraction = 1e-9; });
        row("fraction 1.1", [](Mnist1dRecipe& recipe) { recipe.trainFraction = 1.1; });
        row("fraction nan", [](Mnist1dRecipe& recipe) { recipe.trainFraction = notANumber; });
        row("padding -1", [](Mnist1dRecipe& recipe) { recipe.minimumPadding = -1; });
        row("padding reversed", [](Mnist1dRecipe& recipe) { recipe.minimumPadding = 61; });
        row("padding largest", [](Mnist1dRecipe& recipe) { recipe.maximumPadding = largest; });
        row("padding smallest", [](Mnist1dRecipe& recipe) { recipe.minimumPadding = smallest; });
        row("scale -0.1", [](Mnist1dRecipe& recipe) { recipe.scale = -0.1; });
        row("scale 1e300", [](Mnist1dRecipe& recipe) { recipe.scale = 1e300; });
        row("translation -1", [](Mnist1dRecipe& recipe) { recipe.maximumTranslation = -1; });
        row("translation 73", [](Mnist1dRecipe& recipe) { recipe.maximumTranslation = 73; });
        row("correlated nan", [](Mnist1dRecipe& recipe) { recipe.correlatedNoise = notANumber; });
        row("independent inf", [](Mnist1dRecipe& recipe) { recipe.independentNoise = infinite; });
        row("shear nan", [](Mnist1dRecipe& recipe) { recipe.shear = notANumber; });
        row("length 0", [](Mnist1dRecipe& recipe) { recipe.length = 0; });
        row("length 1", [](Mnist1dRecipe& recipe) { recipe.length = 1; });
        row("length -40", [](Mnist1dRecipe& recipe) { recipe.length = -40; });
        row("length largest", [](Mnist1dRecipe& recipe) { recipe.length = largest; });
    }
    void refusesBadParameters()
    {
        QFETCH(Change, change);
        Mnist1dRecipe recipe;
        QCOMPARE(problem(recipe), std::string());
        change(recipe);
        const std::string reason = problem(recipe);
        QVERIFY(!reason.empty());
        QVERIFY2(reason.find("must") != std::string::npos
                     || reason.find("choose fewer") != std::string::npos,
                 reason.c_str());
        QVERIFY(reason.back() == '.' && reason.find('\n') == std::string::npos);
        try {
            (void)generateMnist1d(recipe);
            QFAIL("generated from a bad recipe");
        } catch (const DataError& error) {
            QCOMPARE(std::string(error.what()), reason);
        }
    }

    void refusesARecipeWithoutAnyVariation()
    {
        Mnist1dRecipe recipe = shortRecipe();
        recipe.scale = recipe.correlatedNoise = recipe.independentNoise = recipe.shear = 0;
        recipe.minimumPadding = recipe.maximumPadding = recipe.maximumTranslation = 0;
        recipe.length = 2; // first and last point of a digit are equal
        QVERIFY_EXCEPTION_THROWN((void)generateMnist1d(recipe), DataError);
    }
};

QTEST_APPLESS_MAIN(TestMnist1dRecipe)
#include "tst_mnist1d_recipe.moc"
