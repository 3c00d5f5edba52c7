// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/packed_network.h"
#include "core/engine/cpu/tiling.h"
#include "tests/core/engine/runnable_kernels.h"

#include <QTest>

#include <numeric>
#include <vector>

using namespace fullbatch;

class TestTiling : public QObject
{
    Q_OBJECT

private slots:
    void theRule_data()
    {
        QTest::addColumn<int>("depth");
        QTest::addColumn<int>("width");
        QTest::addColumn<int>("tileRows");
        QTest::addColumn<int>("groups");
        QTest::newRow("softmax regression") << 0 << 1 << 96 << 16;
        QTest::newRow("one layer") << 1 << 298 << 96 << 16;
        QTest::newRow("two layers") << 2 << 100 << 96 << 16;
        QTest::newRow("three layers") << 3 << 75 << 96 << 16;
        QTest::newRow("four layers") << 4 << 63 << 96 << 16;
        // 2 x (2 x 1000 + 10) floats a row: 65 rows fit 1 MiB, in steps of 24 that is 48.
        QTest::newRow("2 x 1000") << 2 << 1000 << 48 << 15;
        QTest::newRow("2 x 10,000") << 2 << 10'000 << 24 << 1;
    }

    void theRule()
    {
        QFETCH(int, depth);
        QFETCH(int, width);
        const std::vector<std::int64_t> widths(static_cast<std::size_t>(depth), width);
        const Tiling tiling(NetworkShape::mlp(40, widths, 10));
        QTEST(static_cast<int>(tiling.tileRows()), "tileRows");
        QTEST(static_cast<int>(tiling.maximumGroups()), "groups");
    }

    void everyRowIsInOneTileOfOneGroup()
    {
        const std::vector<std::int64_t> widths = {63};
        const Tiling tiling(NetworkShape::mlp(40, widths, 10));
        for (const std::size_t rows : {1U, 31U, 95U, 96U, 97U, 257U, 4000U, 60'000U}) {
            std::size_t nextRow = 0;
            std::size_t nextTile = 0;
            for (std::size_t group = 0; group < tiling.groups(rows); ++group) {
                const auto [begin, end] = tiling.tilesOfGroup(rows, group);
                QCOMPARE(begin, nextTile);
                QVERIFY(end > begin);
                for (std::size_t tile = begin; tile < end; ++tile) {
                    const auto [first, last] = tiling.rowsOfTile(rows, tile);
                    QCOMPARE(first, nextRow);
                    QVERIFY(last > first && last - first <= tiling.tileRows());
                    nextRow = last;
                }
                nextTile = end;
            }
            QCOMPARE(nextRow, rows);
        }
    }

    void tilesOfASmallBatchAreBalanced()
    {
        for (const std::int64_t width : {63, 1000, 10'000}) {
            const std::vector<std::int64_t> widths = {width, width};
            const Tiling tiling(NetworkShape::mlp(40, widths, 10));
            for (std::size_t rows = 1; rows <= Tiling::mostBatchRows; ++rows) {
                std::size_t nextRow = 0;
                for (std::size_t tile = 0; tile < tiling.batchTiles(rows); ++tile) {
                    const auto [first, last] = tiling.rowsOfBatchTile(rows, tile);
                    QCOMPARE(first, nextRow);
                    QVERIFY(last > first && last - first <= tiling.tileRows());
                    QVERIFY(last - first <= rows / tiling.batchTiles(rows) + 1);
                    nextRow = last;
                }
                QCOMPARE(nextRow, rows);
            }
        }
        const std::vector<std::int64_t> widths = {300, 300, 300, 300};
        QCOMPARE(Tiling(NetworkShape::mlp(40, widths, 10)).batchTiles(100), std::size_t{2});
    }

    void partsAreTheWholeMaster()
    {
        for (const std::int64_t width : {1, 47, 48, 63, 300}) {
            const std::vector<std::int64_t> widths = {width, width};
            const PackedNetwork network(NetworkShape::mlp(40, widths, 10), 16);
            std::size_t next = 0;
            for (const MasterPart& part : network.parts()) {
                QCOMPARE(part.offset, next);
                next += part.size;
            }
            QCOMPARE(next, network.masterSize());
        }
    }

    void packingLosesNothing()
    {
        for (const TileKernels* kernels : runnableKernels()) {
            const int lanes = kernels->lanes;
            for (const std::int64_t width : {1, 3, 15, 16, 63, 64, 100}) {
                const std::vector<std::int64_t> widths = {width, width};
                const NetworkShape shape = NetworkShape::mlp(7, widths, 3);
                const PackedNetwork network(shape, lanes);
                std::vector<float> values(static_cast<std::size_t>(shape.parameterCount()));
                std::iota(values.begin(), values.end(), 1.0F);
                std::vector<float> masters(network.masterSize());
                network.pack(values, masters.data());
                std::vector<float> back(values.size());
                network.unpack(masters.data(), back);
                QCOMPARE(back, values);

                // Every weight stands where the kernels look for it in either orientation.
                std::vector<float> copies(network.copiesSize());
                network.setOnes(masters.data());
                for (const MasterPart& part : network.parts())
                    network.copyPart(*kernels, part, masters.data(), copies.data());
                std::size_t weight = 0;
                for (std::size_t l = 0; l < network.layers().size(); ++l) {
                    const PackedLayer& layer = network.layers()[l];
                    const float* byInput = layer.byInput(masters.data(), copies.data());
                    const float* byOutput = layer.byOutput(masters.data(), copies.data());
                    for (std::int64_t o = 0; o < layer.outputs; ++o) {
                        for (std::int64_t i = 0; i < layer.inputs; ++i, ++weight) {
                            QCOMPARE(byInput[i * layer.outputStride + o], values[weight]);
                            if (l > 0)
                                QCOMPARE(byOutput[o * layer.byOutputStride(lanes) + i],
                                         values[weight]);
                        }
                    }
                    for (std::int64_t o = 0; o < layer.outputs; ++o, ++weight)
                        QCOMPARE(byInput[layer.inputs * layer.outputStride + o], values[weight]);
                }
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestTiling)
#include "tst_tiling.moc"
