// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/data_bytes.h"

#include "tests/core/files/small_dataset.h"

#include <QTest>

#include <random>

using namespace fullbatch;

namespace {

/// The outcome must be a data set that passes check() or one line of complaint.
bool readsOrComplains(const QByteArray& bytes)
{
    try {
        check(readDataBytes({bytes.constData(), static_cast<std::size_t>(bytes.size())}));
        return true;
    } catch (const DataError& error) {
        // check() would say this of a data set that should have been refused before.
        const std::string text = error.what();
        return !text.empty() && text.find('\n') == std::string::npos && text.back() != '.';
    }
}

} // namespace

/// Small files of each kind, cut at every byte and with every byte changed: whatever happens, no
/// crash, no other exception, one sentence.
class TestDamagedFiles : public QObject
{
    Q_OBJECT

private slots:
    void cutAndChanged_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        for (const char* name :
             {"small-numpy1-protocol2.pkl", "small-numpy2-protocol3.pkl",
              "small-numpy1-protocol4.pkl", "small-numpy2-protocol5.pkl", "plain.npz",
              "compressed.npz", "streamed.npz", "forbidden-hidden.pkl"})
            QTest::newRow(name) << bytesOf(fixture(name));
        QTest::newRow("csv") << QByteArray("label,x0,x1,split\n0,0.5,-1e3,train\n1,2,\"3\",test\n"
                                           "1,1,1,train\n0,0.5,+2.,test\n");
        QTest::newRow("semicolons") << QByteArray("0;0,5;-1\r\n1;2,25;1e3\r\n\r\n");
    }
    void cutAndChanged()
    {
        QFETCH(QByteArray, bytes);
        QVERIFY(!bytes.isEmpty());
        for (qsizetype size = 0; size < bytes.size(); ++size)
            QVERIFY2(readsOrComplains(bytes.left(size)), qPrintable(QString::number(size)));
        std::mt19937 random(20);
        for (qsizetype at = 0; at < bytes.size(); ++at) {
            QByteArray changed = bytes;
            for (const unsigned mask :
                 {0xffU, 1U << random() % 8U, unsigned(random() % 255U + 1U)}) {
                changed[at] = static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ mask);
                QVERIFY2(readsOrComplains(changed), qPrintable(QString::number(at)));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestDamagedFiles)
#include "tst_damaged_files.moc"
