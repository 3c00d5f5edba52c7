// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/safetensors.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>
#include <QtEndian>

#include <numeric>
#include <sstream>

using namespace fullbatch;

namespace {

Parameters numbered(const NetworkShape& shape)
{
    Parameters parameters(shape);
    std::iota(parameters.values().begin(), parameters.values().end(), 0.5F);
    return parameters;
}

QByteArray written(const Parameters& parameters)
{
    std::ostringstream out;
    writeSafetensors(out, parameters);
    return QByteArray::fromStdString(out.str());
}

} // namespace

class TestSafetensors : public QObject
{
    Q_OBJECT

private slots:
    void headerIsPaddedWithSpacesToEight_data()
    {
        QTest::addColumn<std::vector<std::int64_t>>("widths");
        QTest::newRow("none") << std::vector<std::int64_t>{};
        QTest::newRow("298") << std::vector<std::int64_t>{298};
        QTest::newRow("100-100") << std::vector<std::int64_t>{100, 100};
        QTest::newRow("75-75-75") << std::vector<std::int64_t>{75, 75, 75};
        QTest::newRow("63-63-63-63") << std::vector<std::int64_t>{63, 63, 63, 63};
        QTest::newRow("7-13-5") << std::vector<std::int64_t>{7, 13, 5};
    }
    void headerIsPaddedWithSpacesToEight()
    {
        QFETCH(std::vector<std::int64_t>, widths);
        const Parameters parameters = numbered(NetworkShape::mlp(40, widths, 10));
        const QByteArray file = written(parameters);
        const auto length = qFromLittleEndian<quint64>(file.constData());
        QCOMPARE(length % 8, quint64{0});
        const QByteArray header = file.mid(8, static_cast<qsizetype>(length));
        QVERIFY(!header.contains('\0'));
        QCOMPARE(header.trimmed().back(), '}');
        QCOMPARE(file.size(),
                 static_cast<qsizetype>(8 + length + parameters.values().size_bytes()));
        QVERIFY(QJsonDocument::fromJson(header).isObject());
    }

    void namesShapesAndValues()
    {
        const std::vector<std::int64_t> widths = {3};
        const Parameters parameters = numbered(NetworkShape::mlp(4, widths, 2));
        const QByteArray file = written(parameters);
        const auto length = static_cast<qsizetype>(qFromLittleEndian<quint64>(file.constData()));
        const QJsonObject header = QJsonDocument::fromJson(file.mid(8, length)).object();
        QCOMPARE(header.keys(), (QStringList{"0.bias", "0.weight", "2.bias", "2.weight"}));
        QCOMPARE(header["0.weight"].toObject()["dtype"].toString(), QString("F32"));
        QCOMPARE(header["0.weight"].toObject()["shape"].toArray(), (QJsonArray{3, 4}));
        QCOMPARE(header["0.weight"].toObject()["data_offsets"].toArray(), (QJsonArray{0, 48}));
        QCOMPARE(header["0.bias"].toObject()["shape"].toArray(), QJsonArray{3});
        QCOMPARE(header["0.bias"].toObject()["data_offsets"].toArray(), (QJsonArray{48, 60}));
        QCOMPARE(header["2.weight"].toObject()["shape"].toArray(), (QJsonArray{2, 3}));
        QCOMPARE(header["2.bias"].toObject()["data_offsets"].toArray(), (QJsonArray{84, 92}));
        const char* values = file.constData() + 8 + length;
        for (std::ptrdiff_t index = 0; index < 23; ++index)
            QCOMPARE(qFromLittleEndian<float>(values + 4 * index),
                     static_cast<float>(index) + 0.5F);
    }
};

QTEST_APPLESS_MAIN(TestSafetensors)
#include "tst_safetensors.moc"
