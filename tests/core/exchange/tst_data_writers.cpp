// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/data_writers.h"
#include "core/exchange/output_file.h"

#include <QCryptographicHash>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <ctime>

using namespace fullbatch;

namespace {

Dataset smallDataset()
{
    Dataset dataset;
    dataset.classes = 3;
    dataset.train.inputs.resize(2, 3);
    dataset.train.inputs << 0.1F, -2.5F, 1e-30F, 16777216.0F, 3.0F, -0.0F;
    dataset.train.labels = {2, 0, 1};
    dataset.test.inputs = Eigen::MatrixXf::Constant(2, 1, 0.25F);
    dataset.test.labels = {1};
    return dataset;
}

QByteArray contentsOf(const QString& name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
}

} // namespace

// What NumPy and readDataFile() make of the files is tested beside the readers.
class TestDataWriters : public QObject
{
    Q_OBJECT

    QTemporaryDir m_folder;

private slots:
    void csvText()
    {
        const QString name = m_folder.filePath("data.csv");
        writeDataCsv(name.toStdString(), smallDataset());
        QCOMPARE(contentsOf(name),
                 QByteArray("label,x0,x1,split\n"
                            "2,0.1,16777216,train\n"
                            "0,-2.5,3,train\n"
                            "1,1e-30,-0,train\n"
                            "1,0.25,0.25,test\n"));
        Dataset whole = smallDataset();
        whole.test = {};
        writeDataCsv(name.toStdString(), whole);
        QCOMPARE(contentsOf(name),
                 QByteArray("label,x0,x1\n2,0.1,16777216\n0,-2.5,3\n1,1e-30,-0\n"));
    }

    void npzBytesDependOnTheDataAlone()
    {
        const QString first = m_folder.filePath("first.npz");
        const QString second = m_folder.filePath("second.npz");
        qputenv("TZ", "Asia/Tokyo");
        tzset();
        writeDataNpz(first.toStdString(), smallDataset());
        qputenv("TZ", "America/New_York");
        tzset();
        writeDataNpz(second.toStdString(), smallDataset());
        const QByteArray bytes = contentsOf(first);
        QVERIFY(bytes.startsWith("PK\x03\x04"));
        QCOMPARE(contentsOf(second), bytes);
        for (const char* member : {"x.npy", "y.npy", "x_test.npy", "y_test.npy"})
            QVERIFY(bytes.contains(member));
        QVERIFY(bytes.contains("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }"));
        QVERIFY(bytes.contains("{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }"));

        Dataset changed = smallDataset();
        changed.test = {};
        writeDataNpz(second.toStdString(), changed);
        QVERIFY(contentsOf(second) != bytes);
        QVERIFY(!contentsOf(second).contains("x_test.npy"));
    }

    void failuresNameTheFile()
    {
        const QString name = m_folder.filePath("missing/data.npz");
        for (const auto write : {writeDataNpz, writeDataCsv}) {
            try {
                write(name.toStdString(), smallDataset());
                QFAIL("wrote into a folder that does not exist");
            } catch (const OutputError& error) {
                QVERIFY(QString(error.what()).contains(name));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestDataWriters)
#include "tst_data_writers.moc"
