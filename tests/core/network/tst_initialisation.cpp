// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/initialisation.h"

#include <QFile>
#include <QtTest>

#include <algorithm>
#include <bit>

using namespace fullbatch;

namespace {

/// 64-bit FNV-1a over the values as little-endian float32 bytes.
std::uint64_t fnv1a(std::span<const float> values)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const float value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (unsigned shift = 0; shift < 32; shift += 8)
            hash = (hash ^ ((bits >> shift) & 0xffU)) * 0x100000001b3U;
    }
    return hash;
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
    // The file was written by PyTorch 1.13 (torch_initialisation.py).
    void equalsPyTorch_data()
    {
        QTest::addColumn<QByteArray>("sizes");
        QTest::addColumn<quint64>("seed");
        QTest::addColumn<qsizetype>("parameters");
        QTest::addColumn<quint64>("hash");
        QTest::addColumn<quint32>("firstWeight");
        QFile file(FULLBATCH_SOURCE_DIR "/tests/data/torch_initialisation.csv");
        QVERIFY(file.open(QIODevice::ReadOnly));
        file.readLine();
        int number = 0;
        while (!file.atEnd()) {
            const QList<QByteArray> fields = file.readLine().trimmed().split(',');
            QCOMPARE(fields.size(), 5);
            QTest::addRow("%d: seed %s", ++number, fields[1].constData())
                << fields[0] << fields[1].toULongLong() << qsizetype(fields[2].toLongLong())
                << quint64(fields[3].toULongLong(nullptr, 16)) << fields[4].toUInt(nullptr, 16);
        }
        QCOMPARE(number, 14);
    }
    void equalsPyTorch()
    {
        QFETCH(QByteArray, sizes);
        QFETCH(quint64, seed);
        QFETCH(qsizetype, parameters);
        QFETCH(quint64, hash);
        QFETCH(quint32, firstWeight);
        const Parameters initial = initialParameters(shapeFrom(sizes), seed);
        QCOMPARE(qsizetype(initial.values().size()), parameters);
        QCOMPARE(std::bit_cast<quint32>(initial.values().front()), firstWeight);
        QCOMPARE(quint64(fnv1a(initial.values())), hash);
    }

    void hashSeesOneBit()
    {
        Parameters initial = initialParameters(shapeFrom("7-13-5-3"), 11);
        const std::uint64_t hash = fnv1a(initial.values());
        float& value = initial.values()[40];
        value = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value) ^ 1U);
        QVERIFY(fnv1a(initial.values()) != hash);
    }

    void onlyTheLow32BitsOfTheSeedCount()
    {
        const NetworkShape shape = shapeFrom("7-13-5-3");
        QCOMPARE(fnv1a(initialParameters(shape, 11 + (5ULL << 32U)).values()),
                 fnv1a(initialParameters(shape, 11).values()));
        QVERIFY(fnv1a(initialParameters(shape, 12).values())
                != fnv1a(initialParameters(shape, 11).values()));
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
