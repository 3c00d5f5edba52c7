// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/mnist1d.h"

#include <QCryptographicHash>
#include <QTest>

#include <cmath>

using namespace fullbatch;

namespace {

template <typename Number>
QByteArray sha256(const Number* numbers, std::size_t count)
{
    const QByteArrayView bytes(reinterpret_cast<const char*>(numbers),
                               static_cast<qsizetype>(count * sizeof(Number)));
    return QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex();
}

QByteArray inputsSha256(const Split& split)
{
    return sha256(split.inputs.data(), static_cast<std::size_t>(split.inputs.size()));
}

QByteArray labelsSha256(const Split& split)
{
    return sha256(split.labels.data(), split.labels.size());
}

} // namespace

// Facts of the published file mnist1d_data.pkl (SHA-256 e95257676e9f...): its arrays rounded to
// little-endian float32 and int32, row by row, hashed with Python's hashlib.
class TestMnist1d : public QObject
{
    Q_OBJECT

    Dataset m_data;

private slots:
    void initTestCase() { m_data = generateMnist1d(); }

    void shapesAndSource()
    {
        QCOMPARE(m_data.source, std::string("MNIST-1D, generated, seed 42"));
        QCOMPARE(m_data.classes, 10);
        QCOMPARE(m_data.features(), Eigen::Index{40});
        QCOMPARE(m_data.train.rows(), std::size_t{4000});
        QCOMPARE(m_data.train.inputs.cols(), Eigen::Index{4000});
        QCOMPARE(m_data.test.rows(), std::size_t{1000});
        QCOMPARE(m_data.test.inputs.cols(), Eigen::Index{1000});
        check(m_data);
    }

    void firstAndLastValues()
    {
        QCOMPARE(m_data.train.inputs(0, 0), -0.3320056674F);
        QCOMPARE(m_data.train.inputs(1, 0), -0.4719103657F);
        QCOMPARE(m_data.train.inputs(2, 0), -0.7786970763F);
        QCOMPARE(m_data.train.inputs(39, 3999), -1.6509928568F);
        const std::vector<std::int32_t> first(m_data.train.labels.begin(),
                                              m_data.train.labels.begin() + 10);
        QCOMPARE(first, (std::vector<std::int32_t>{2, 6, 4, 5, 6, 6, 6, 0, 3, 1}));
    }

    void classCountsOfThePublishedFile()
    {
        QCOMPARE(classCounts(m_data.train, 10),
                 (std::vector<std::size_t>{398, 396, 411, 394, 394, 402, 401, 404, 402, 398}));
        QCOMPARE(classCounts(m_data.test, 10),
                 (std::vector<std::size_t>{102, 104, 89, 106, 106, 98, 99, 96, 98, 102}));
    }

    void everyBitOfThePublishedFile()
    {
        QCOMPARE(inputsSha256(m_data.train),
                 "d53506bddd12d3b72c7153b1ae7f34807724b1dd078a7273809bf9d0792319f6");
        QCOMPARE(inputsSha256(m_data.test),
                 "30addc43827c82aafa5db8bc97cea63349ca687e87db2f201cc4f5415d9a4ebd");
        QCOMPARE(labelsSha256(m_data.train),
                 "349d9015145a182689d6949b2af9d6466831b99f440cbdba8d682094f0de89d0");
        QCOMPARE(labelsSha256(m_data.test),
                 "6d4fabd193f078c2517ef7786d602c5a2ddb8b66b407873f4e14c97b935d6dbd");
    }

    void theHashNoticesOneBit()
    {
        Split changed = m_data.train;
        changed.inputs(39, 3999) = std::nextafter(changed.inputs(39, 3999), 0.0F);
        QVERIFY(inputsSha256(changed) != inputsSha256(m_data.train));
    }

    void anotherSeedDiffersInRowZero()
    {
        Mnist1dRecipe recipe;
        recipe.seed = 43;
        const Dataset other = generateMnist1d(recipe);
        QVERIFY(other.train.inputs.col(0) != m_data.train.inputs.col(0));
        QCOMPARE(other.source, std::string("MNIST-1D, generated, seed 43"));
    }
};

QTEST_APPLESS_MAIN(TestMnist1d)
#include "tst_mnist1d.moc"
