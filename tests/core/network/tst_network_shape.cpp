// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/equal_budget.h"
#include "core/network/parameters.h"

#include <QtTest>

#include <limits>

using namespace fullbatch;

namespace {

NetworkShape mlp(std::int64_t inputs, const std::vector<std::int64_t>& hidden, std::int64_t outputs)
{
    return NetworkShape::mlp(inputs, hidden, outputs);
}

} // namespace

class TestNetworkShape : public QObject
{
    Q_OBJECT

private slots:
    void layersAreNumberedAsInSequential()
    {
        const NetworkShape shape = mlp(40, {63, 31}, 10);
        QCOMPARE(shape.layers().size(), std::size_t(5));
        QCOMPARE(shape.text(), std::string("40-63-31-10"));
        QCOMPARE(shape.inputs(), 40);
        QCOMPARE(shape.outputs(), 10);
        QVERIFY(shape.hiddenWidths() == (std::vector<std::int64_t>{63, 31}));
        QCOMPARE(shape.denseLayers().size(), std::size_t(3));
        QVERIFY(shape.denseLayers()[1] == (Layer{LayerKind::Dense, 63, 31}));
        QVERIFY(shape.layers()[1] == (Layer{LayerKind::Relu, 63, 63}));
    }

    void countsOfFigure20Point2()
    {
        QCOMPARE(mlp(40, {298}, 10).parameterCount(), 15208);
        QCOMPARE(mlp(40, {100, 100}, 10).parameterCount(), 15210);
        QCOMPARE(mlp(40, {75, 75, 75}, 10).parameterCount(), 15235);
        QCOMPARE(mlp(40, {63, 63, 63, 63}, 10).parameterCount(), 15319);
        QCOMPARE(mlp(40, {}, 10).parameterCount(), 410);
    }

    void flopsLeaveOutTheFirstInputGradient()
    {
        // 2 rows: forward and weight gradient of 12 + 8 weights, input gradient of 8 weights.
        QCOMPARE(mlp(3, {4}, 2).flopsPerEpoch(2), 2.0 * 2 * (2 * 20 + 8));
        QCOMPARE(mlp(3, {4}, 2).forwardFlops(2), 2.0 * 2 * 20);
        QCOMPARE(mlp(3, {}, 2).flopsPerEpoch(5), 2.0 * 5 * 2 * 6);
    }

    void hugeShapesSaturate()
    {
        constexpr std::int64_t huge = std::numeric_limits<std::int64_t>::max();
        const NetworkShape shape = mlp(40, {huge / 2, huge / 2}, 10);
        QCOMPARE(shape.parameterCount(), huge);
        QVERIFY(shape.flopsPerEpoch(4000) > 1e38);
        QVERIFY_EXCEPTION_THROWN(Parameters{shape}, std::bad_alloc);
    }

    void sizesBelowOneAreRefused()
    {
        QVERIFY_EXCEPTION_THROWN((void)mlp(0, {3}, 2), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)mlp(3, {3, 0}, 2), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)mlp(3, {-1}, 2), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN((void)mlp(3, {}, 0), std::invalid_argument);
    }

    void widthsText()
    {
        using Widths = std::vector<std::int64_t>;
        QCOMPARE(fullbatch::widthsText(Widths{}), std::string("none"));
        QCOMPARE(fullbatch::widthsText(Widths{298}), std::string("1 x 298"));
        QCOMPARE(fullbatch::widthsText(Widths{63, 63, 63, 63}), std::string("4 x 63"));
        QCOMPARE(fullbatch::widthsText(Widths{63, 31}), std::string("63-31"));
    }

    void tensorsAreNamedAndPlacedAsInPyTorch()
    {
        Parameters parameters(mlp(3, {4}, 2));
        const auto tensors = parameters.tensors();
        QCOMPARE(tensors.size(), std::size_t(4));
        QCOMPARE(tensors[2].name, std::string("2.weight"));
        QCOMPARE(tensors[3].name, std::string("2.bias"));
        QCOMPARE(tensors[1].offset, std::size_t(12));
        QCOMPARE(tensors[2].offset, std::size_t(16));
        QCOMPARE(tensors[3].offset + tensors[3].size(), parameters.values().size());
        parameters.view(tensors[2])(1, 3) = 5;
        QCOMPARE(parameters.values()[16 + 4 + 3], 5.0F); // row-major, outputs x inputs
        const Parameters copy = parameters;
        parameters.values()[0] = 7;
        QCOMPARE(copy.values()[0], 0.0F);
        QCOMPARE(copy.view(tensors[2])(1, 3), 5.0F);
    }

    void equalBudget_data()
    {
        QTest::addColumn<qint64>("depth");
        QTest::addColumn<qint64>("budget");
        QTest::addColumn<qint64>("width");
        QTest::newRow("one layer") << qint64(1) << qint64(15208) << qint64(298);
        QTest::newRow("two layers") << qint64(2) << qint64(15208) << qint64(100);
        QTest::newRow("three layers") << qint64(3) << qint64(15208) << qint64(75);
        QTest::newRow("four layers") << qint64(4) << qint64(15208) << qint64(63);
        QTest::newRow("below the smallest") << qint64(4) << qint64(-3) << qint64(1);
        // Two layers: 63 parameters for width 1, 118 for width 2.
        QTest::newRow("nearer to the smaller") << qint64(2) << qint64(90) << qint64(1);
        QTest::newRow("nearer to the larger") << qint64(2) << qint64(91) << qint64(2);
        // Three layers: 2 w^2 + 53 w + 10 gives 65 and 124 for widths 1 and 2, 187 for 3.
        QTest::newRow("budget beyond") << qint64(3) << qint64(156) << qint64(3);
        QTest::newRow("everything") << qint64(1) << std::numeric_limits<qint64>::max()
                                    << std::numeric_limits<qint64>::max() / 51;
    }
    void equalBudget()
    {
        QFETCH(qint64, depth);
        QFETCH(qint64, budget);
        QFETCH(qint64, width);
        QCOMPARE(equalBudgetWidth(40, 10, depth, budget), width);
    }
    void equalBudgetTieGivesTheSmaller()
    {
        // 2 inputs, 1 output, one layer: 4 w + 1; a budget of 7 lies between 5 and 9.
        QCOMPARE(equalBudgetWidth(2, 1, 1, 7), 1);
        QCOMPARE(equalBudgetWidth(2, 1, 1, 8), 2);
        QVERIFY_EXCEPTION_THROWN((void)equalBudgetWidth(40, 10, 0, 100), std::invalid_argument);
    }
};

QTEST_APPLESS_MAIN(TestNetworkShape)
#include "tst_network_shape.moc"
