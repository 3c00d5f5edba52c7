// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/mnist1d.h"
#include "core/files/data_checksum.h"
#include "tests/core/files/small_dataset.h"
#include "tests/shared_data.h"

#include <QTest>

#include <cstdio>

using namespace fullbatch;

/// The published mnist1d_data.pkl against the generator, and what becomes of it when it is damaged.
class TestPublishedFile : public QObject
{
    Q_OBJECT

    std::filesystem::path m_file = sharedFile("data/mnist1d_data.pkl");
    QByteArray m_bytes = bytesOf(QString::fromStdString(m_file.string()));

private slots:
    void isThePublishedFile()
    {
        QCOMPARE(fileChecksum(m_file),
                 std::string("e95257676e9fb04568e46dda007da22cc8664ccba1451456afde55d7f6dd6aa5"));
    }

    void readsAsPublished()
    {
        const Dataset dataset = readDataFile(m_file);
        QCOMPARE(dataset.source, m_file.string());
        QCOMPARE(dataset.classes, 10);
        QCOMPARE(dataset.features(), Eigen::Index{40});
        QCOMPARE(dataset.train.rows(), std::size_t{4000});
        QCOMPARE(dataset.test.rows(), std::size_t{1000});
        QCOMPARE(dataset.train.inputs(0, 0), -0.3320056674F);
        QCOMPARE(dataset.train.inputs(39, 3999), -1.6509928568F);
        QCOMPARE(dataset.train.inputs.minCoeff(), -5.479419F);
        QCOMPARE(dataset.train.inputs.maxCoeff(), 4.5335155F);
    }

    void equalsTheGeneratorInEveryBit()
    {
        const Dataset file = readDataFile(m_file);
        const Dataset generated = generateMnist1d();
        QVERIFY(file.train.labels == generated.train.labels);
        QVERIFY(file.test.labels == generated.test.labels);
        QVERIFY(sameData(file, generated));
        QCOMPARE(dataChecksum(file), dataChecksum(generated));
        Mnist1dRecipe other;
        other.seed = 43;
        QVERIFY(!sameData(file, generateMnist1d(other)));
    }

    void cutShort()
    {
        QCOMPARE(readBytesAs(m_bytes.left(1'000'000)).complaint,
                 QString("it is cut short: it ends after 1000000 bytes, where at least 280164 more "
                         "must follow; get or make the file again."));
    }

    void convertedLineEnds()
    {
        QVERIFY(readBytesAs(QByteArray(m_bytes).replace("\n", "\r\n"))
                    .complaint.contains("every byte 0A has become 0D 0A"));
        QVERIFY(readBytesAs(QByteArray(m_bytes).replace("\r\n", "\n"))
                    .complaint.contains("the bytes 0D 0A have become 0A"));
        QVERIFY(readBytesAs(QByteArray(m_bytes).replace("\r", ""))
                    .complaint.contains("every byte 0D is missing"));
    }
};

int main(int argc, char** argv)
{
    if (!std::filesystem::exists(sharedFile("data/mnist1d_data.pkl"))) {
        std::puts("Skipped: the shared folder with the published file is not here.");
        return testSkipped;
    }
    TestPublishedFile test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_published_file.moc"
