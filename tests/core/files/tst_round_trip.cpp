// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/mnist1d.h"
#include "core/exchange/data_writers.h"
#include "tests/core/files/small_dataset.h"

#include <QDir>
#include <QTest>

#include <bit>
#include <limits>
#include <random>

using namespace fullbatch;

namespace {

using Writer = void (*)(const std::filesystem::path&, const Dataset&);

/// Finite float32 numbers of every size, zeros of both signs among them.
Dataset strangeDataset()
{
    Dataset dataset;
    dataset.classes = 4;
    dataset.train.inputs.resize(5, 300);
    std::mt19937 random(3);
    for (float& value : dataset.train.inputs.reshaped()) {
        do
            value = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
        while (!std::isfinite(value));
    }
    dataset.train.inputs.col(0) << 0.0F, -0.0F, std::numeric_limits<float>::denorm_min(),
        std::numeric_limits<float>::max(), std::numeric_limits<float>::lowest();
    for (std::int32_t row = 0; row < 300; ++row)
        dataset.train.labels.push_back(row % 4);
    return dataset;
}

bool sameBits(const Eigen::MatrixXf& left, const Eigen::MatrixXf& right)
{
    const auto bits = [](float one, float other) {
        return std::bit_cast<std::uint32_t>(one) == std::bit_cast<std::uint32_t>(other);
    };
    return left.size() == right.size()
        && std::equal(left.data(), left.data() + left.size(), right.data(), bits);
}

} // namespace

Q_DECLARE_METATYPE(Writer)

class TestRoundTrip : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void writtenAndRead_data()
    {
        QTest::addColumn<Writer>("write");
        QTest::addColumn<QString>("name");
        QTest::newRow("npz") << Writer(writeDataNpz) << "data.npz";
        QTest::newRow("csv") << Writer(writeDataCsv) << "data.csv";
        QTest::newRow("not ASCII")
            << Writer(writeDataNpz) << QString::fromUtf8("数据 é🙂 a%20b#1");
    }
    void writtenAndRead()
    {
        QFETCH(Writer, write);
        QFETCH(QString, name);
        const std::string path = m_folder.filePath(name).toStdString();
        for (const Dataset& dataset : {generateMnist1d(), smallDataset(), strangeDataset()}) {
            write(path, dataset);
            const Dataset read = readDataFile(path);
            QCOMPARE(read.source, path);
            QVERIFY(sameData(read, dataset));
            QVERIFY(sameBits(read.train.inputs, dataset.train.inputs));
        }
    }

    void theBitComparisonTellsZerosApart()
    {
        QVERIFY(!sameBits(Eigen::MatrixXf::Constant(1, 1, 0.0F),
                          Eigen::MatrixXf::Constant(1, 1, -0.0F)));
    }
};

QTEST_APPLESS_MAIN(TestRoundTrip)
#include "tst_round_trip.moc"
