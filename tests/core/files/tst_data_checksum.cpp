// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/data_checksum.h"

#include "tests/core/files/small_dataset.h"

#include <QCryptographicHash>
#include <QTest>

using namespace fullbatch;

class TestDataChecksum : public QObject
{
    Q_OBJECT

private slots:
    void isTheSha256OfTheDocumentedBytes()
    {
        Dataset dataset;
        dataset.classes = 2;
        dataset.train.inputs.resize(2, 1);
        dataset.train.inputs << 1.0F, -2.5F;
        dataset.train.labels = {1};
        const QByteArray bytes = QByteArray::fromHex("0100000000000000"
                                                     "0200000000000000"
                                                     "0000803f"
                                                     "000020c0"
                                                     "01000000"
                                                     "0000000000000000"
                                                     "0000000000000000");
        QCOMPARE(QByteArray::fromStdString(dataChecksum(dataset)),
                 QCryptographicHash::hash(bytes, QCryptographicHash::Sha256).toHex());
    }

    void everyNumberCounts()
    {
        const std::string usual = dataChecksum(smallDataset());
        QCOMPARE(usual.size(), std::size_t{64});
        QCOMPARE(dataChecksum(smallDataset()), usual);
        Dataset changed = smallDataset();
        changed.source = "elsewhere";
        QCOMPARE(dataChecksum(changed), usual);
        changed.test.labels[1] = 1;
        QVERIFY(dataChecksum(changed) != usual);
        changed = smallDataset();
        changed.train.inputs(0, 0) = -1.0000001F;
        QVERIFY(dataChecksum(changed) != usual);
        changed = smallDataset();
        std::swap(changed.train, changed.test);
        QVERIFY(dataChecksum(changed) != usual);
    }

    void sameDataFromEveryFile()
    {
        for (const char* name : {"small-numpy2-protocol5.pkl", "compressed.npz", "big-endian.npz"})
            QCOMPARE(dataChecksum(readDataFile(fixture(name).toStdString())),
                     dataChecksum(smallDataset()));
    }

    void filesHaveOneToo()
    {
        const QString name = fixture("plain.npz");
        QCOMPARE(QByteArray::fromStdString(fileChecksum(name.toStdString())),
                 QCryptographicHash::hash(bytesOf(name), QCryptographicHash::Sha256).toHex());
        QVERIFY_EXCEPTION_THROWN((void)fileChecksum("/missing/file"), DataError);
    }
};

QTEST_APPLESS_MAIN(TestDataChecksum)
#include "tst_data_checksum.moc"
