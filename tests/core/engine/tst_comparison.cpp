// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"
#include "tests/core/engine/torch_curve.h"

#include <QtTest>

#include <cmath>
#include <limits>

using namespace fullbatch;

namespace {

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

double difference(const std::vector<float>& values, const std::vector<float>& reference)
{
    return normalisedDifference(values, reference);
}

} // namespace

/// The helpers that the engine tests compare with must see what is wrong.
class TestComparison : public QObject
{
    Q_OBJECT

private slots:
    void normalisedDifferenceSeesWrongValues()
    {
        QCOMPARE(difference({3, 4}, {3, 4}), 0.0);
        QCOMPARE(difference({3, 4.5F}, {3, 4}), 0.1);
        QCOMPARE(difference({-3, -4}, {3, 4}), 2.0);
        QCOMPARE(difference({3, notANumber}, {3, 4}), infinity);
        QCOMPARE(difference({3, 4}, {3, notANumber}), infinity);
        QCOMPARE(difference({3}, {3, 4}), infinity);
        QCOMPARE(difference({0, 0}, {0, 0}), 0.0);
        QCOMPARE(difference({0, 1e-30F}, {0, 0}), infinity);
    }

    void relativeDifferenceSeesWrongValues()
    {
        QCOMPARE(relativeDifference(2, 2), 0.0);
        QCOMPARE(relativeDifference(2.5, 2), 0.25);
        QCOMPARE(relativeDifference(1, 0), infinity);
        QCOMPARE(relativeDifference(std::nan(""), 2), infinity);
    }

    void differentBitsSeesOneBit()
    {
        const std::vector<float> values = {1, 0, 3};
        QCOMPARE(differentBits(std::span(values), values), std::size_t(0));
        QCOMPARE(differentBits(std::span(values), std::vector<float>{1, -0.0F, 3}), std::size_t(1));
        QCOMPARE(
            differentBits(std::span(values), std::vector<float>{std::nextafter(1.0F, 2.0F), 0, 4}),
            std::size_t(2));
        QCOMPARE(differentBits(std::span(values), std::vector<float>{1}), std::size_t(3));
    }

    void differentBitsSeesEveryFieldOfARecord()
    {
        const EpochMetrics record{1, 2, 3, 4, 5};
        const auto differs = [&](const EpochMetrics& other) {
            return differentBits(std::span(&record, 1), std::span(&other, 1)) == 1;
        };
        QVERIFY(!differs(record));
        QVERIFY(differs({1.5, 2, 3, 4, 5}));
        QVERIFY(differs({1, 2.5, 3, 4, 5}));
        QVERIFY(differs({1, 2, 0, 4, 5}));
        QVERIFY(differs({1, 2, 3, 0, 5}));
        QVERIFY(differs({1, 2, 3, 4, 5.5F}));
    }

    void differentBitsSeesEveryFieldOfAState()
    {
        const EngineState state{"a", 1, {1, 2}, {3, 4}, 1, 2, 3, {5}};
        QCOMPARE(differentBits(state, state), std::size_t(0));
        const auto differs = [&](const auto& spoil) {
            EngineState other = state;
            spoil(other);
            return differentBits(state, other) == 1;
        };
        QVERIFY(differs([](EngineState& other) { other.arithmetic += "b"; }));
        QVERIFY(differs([](EngineState& other) { other.epoch = 2; }));
        QVERIFY(differs([](EngineState& other) { other.parameters[1] = 0; }));
        QVERIFY(differs([](EngineState& other) { other.velocity[1] = 0; }));
        QVERIFY(differs([](EngineState& other) { other.lossScale = 2; }));
        QVERIFY(differs([](EngineState& other) { other.cleanSteps = 0; }));
        QVERIFY(differs([](EngineState& other) { other.skippedSteps = 0; }));
        QVERIFY(differs([](EngineState& other) { other.random = {}; }));
    }

    void worstNeverPassesByChance()
    {
        QVERIFY(!Worst().result(1).passed); // nothing was compared
        Worst worst;
        worst.add(0.5, "here");
        QVERIFY(worst.result(0.5).passed);
        QVERIFY(!worst.result(0.4).passed);
        worst.add(std::nan(""), "there");
        worst.add(0.1, "elsewhere");
        QVERIFY(!worst.result(1e300).passed);
        QVERIFY(worst.result(1).text.starts_with("there"));
    }

    void curveDistanceSeesWrongCurves()
    {
        const double none = std::nan("");
        const std::vector<CurvePoint> torch = {{90, 2, 80, 4}, {80, 1, none, none}};
        QCOMPARE(curveDistance(torch, torch).trainLoss, 0.0);
        QCOMPARE(curveDistance(torch, torch).evaluations, std::size_t(1));
        const CurveDistance distance =
            curveDistance({{90.5, 2, 81, 5}, {80, 1.5, none, none}}, torch);
        QCOMPARE(distance.trainErrorPercent, 0.5);
        QCOMPARE(distance.trainLoss, 0.5);
        QCOMPARE(distance.testErrorPercent, 1.0);
        QCOMPARE(distance.testLoss, 0.25);
        QCOMPARE(curveDistance({{none, none, 80, 4}}, torch).trainLoss, infinity);
        QCOMPARE(curveDistance({{90, 2, none, none}}, torch).testLoss, infinity);
    }

    void rowsNearAKinkAreLeftOut()
    {
        // One hidden unit that passes its one input on: rows 0 and 2 are at the kink.
        Parameters parameters(shapeOf({1, 1, 2}));
        parameters.values()[0] = 1;
        Split split;
        split.inputs.resize(1, 4);
        split.inputs << 1e-7F, 1, -1e-7F, -1;
        split.labels = {0, 1, 0, 1};
        QVERIFY(rowsAwayFromKinks(parameters, split, 1e-5) == (std::vector<std::uint32_t>{1, 3}));
        QCOMPARE(rowsAwayFromKinks(parameters, split, 1e-9).size(), std::size_t(4));
    }
};

QTEST_APPLESS_MAIN(TestComparison)
#include "tst_comparison.moc"
