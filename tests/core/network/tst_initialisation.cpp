// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/initialisation.h"

#include "tests/core/reference_table.h"

#include <QtTest>

#include <algorithm>

using namespace fullbatch;

namespace {

/// Of the parameters' bits.
std::uint64_t hashOf(const Parameters& parameters)
{
    return fnv1a<float>(parameters.values());
}

NetworkShape shapeFrom(const QByteArray& sizes)
{
    std::vector<std::int64_t> widths;
    for (const QByteArray& size : sizes.split('-'))
        widths.push_back(size.toLongLong());
    return NetworkShape::mlp(widths.front(), std::span(widths).subspan(1, widths.size() - 2),
                             widths.back());
}

} // namespace

class TestInitialisation : public QObject
{
    Q_OBJECT

private slots:
    // The file was written by PyTorch 2.15 (torch_initialisation.py).
    void equalsPyTorch_data()
    {
        QTest::addColumn<QByteArray>("rule");
        QTest::addColumn<QByteArray>("sizes");
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<qsizetype>("parameters");
        QTest::addColumn<quint64>("hash");
        QTest::addColumn<quint32>("firstWeight");
        int number = 0;
        for (const auto& row : referenceTable("torch_initialisation.csv", 6))
            QTest::addRow("%d: %s, seed %s", ++number, row[0].constData(), row[2].constData())
                << row[0] << row[1] << row[2].toULongLong() << qsizetype(row[3].toLongLong())
                << quint64(row[4].toULongLong(nullptr, 16)) << row[5].toUInt(nullptr, 16);
        QCOMPARE(number, 6 * 14);
    }
    void equalsPyTorch()
    {
        QFETCH(QByteArray, rule);
        QFETCH(QByteArray, sizes);
        QFETCH(quint64, seed);
        QFETCH(qsizetype, parameters);
        QFETCH(quint64, hash);
        QFETCH(quint32, firstWeight);
        const Parameters initial = initialParameters(
            shapeFrom(sizes), seed,
            valueOf<Initialisation>(rule.toStdString(), initialisationNames).value());
        QCOMPARE(qsizetype(initial.values().size()), parameters);
        QCOMPARE(std::bit_cast<quint32>(initial.values().front()), firstWeight);
        QCOMPARE(quint64(hashOf(initial)), hash);
    }

    void hashSeesOneBit()
    {
        Parameters initial = initialParameters(shapeFrom("7-13-5-3"), 11);
        const std::uint64_t hash = hashOf(initial);
        float& value = initial.values()[40];
        value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ 1U);
        QVERIFY(hashOf(initial) != hash);
    }

    void onlyTheLow32BitsOfTheSeedCount()
    {
        const NetworkShape shape = shapeFrom("7-13-5-3");
        QCOMPARE(hashOf(initialParameters(shape, 11 + (5ULL << 32U))),
                 hashOf(initialParameters(shape, 11)));
        QVERIFY(hashOf(initialParameters(shape, 12)) != hashOf(initialParameters(shape, 11)));
    }

    void biasesAreZero()
    {
        const Parameters initial = initialParameters(shapeFrom("7-13-5-3"), 1);
        for (const TensorInfo& tensor : initial.tensors()) {
            const auto values = initial.values().subspan(tensor.offset, tensor.size());
            const bool allZero =
                std::all_of(values.begin(), values.end(), [](float value) { return value == 0; });
            QCOMPARE(allZero, tensor.kind == TensorKind::Bias);
        }
    }
};

QTEST_APPLESS_MAIN(TestInitialisation)
#include "tst_initialisation.moc"
