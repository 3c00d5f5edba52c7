// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/data_bytes.h"
#include "tests/core/files/small_dataset.h"

#include <QTest>

using namespace fullbatch;

class TestPickleFile : public QObject
{
    Q_OBJECT

private slots:
    void everyProtocolAndNumPy_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* numpy : {"numpy1", "numpy2"}) {
            for (int protocol = 2; protocol <= 5; ++protocol) {
                const QString name = QString("small-%1-protocol%2.pkl").arg(numpy).arg(protocol);
                QTest::newRow(qPrintable(name)) << name;
            }
        }
        for (const char* name :
             {"small-python2.pkl", "column-order.pkl", "column-order-protocol5.pkl"})
            QTest::newRow(name) << QString(name);
    }
    void everyProtocolAndNumPy()
    {
        QFETCH(QString, name);
        const Dataset dataset = readDataFile(fixture(name).toStdString());
        QCOMPARE(dataset.source, fixture(name).toStdString());
        QVERIFY(sameData(dataset, smallDataset()));
    }

    void theComparisonNoticesEveryDifference()
    {
        QVERIFY(sameData(smallDataset(), smallDataset()));
        Dataset changed = smallDataset();
        changed.test.inputs(3, 1) += 0.125F;
        QVERIFY(!sameData(smallDataset(), changed));
        changed = smallDataset();
        changed.train.labels[5] = 1;
        QVERIFY(!sameData(smallDataset(), changed));
        changed = smallDataset();
        changed.test = {};
        QVERIFY(!sameData(smallDataset(), changed));
        changed = smallDataset();
        changed.classes = 4;
        QVERIFY(!sameData(smallDataset(), changed));
    }

    void refusesCallsByNameAndRunsNothing_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("forbidden");
        QTest::newRow("system") << "forbidden-system.pkl"
                                << "posix.system";
        QTest::newRow("eval") << "forbidden-eval.pkl"
                              << "builtins.eval";
        QTest::newRow("hidden") << "forbidden-hidden.pkl"
                                << "posix.system";
    }
    void refusesCallsByNameAndRunsNothing()
    {
        QFETCH(QString, name);
        QFETCH(QString, forbidden);
        const QString marker = "forbidden-was-executed";
        QVERIFY(!QFile::exists(marker));
        const Reading reading = readBytesAs(bytesOf(fixture(name)));
        QCOMPARE(reading.complaint,
                 "it names " + forbidden
                     + ", which is not allowed: only dicts of NumPy arrays are read, and nothing a "
                       "file names is executed.");
        QVERIFY(!QFile::exists(marker));
        QVERIFY(sameData(readBytesAs(bytesOf(fixture("small-numpy1-protocol3.pkl"))).data,
                         smallDataset()));
    }

    void refusesObjectsWithAdvice()
    {
        QCOMPARE(readBytesAs(bytesOf(fixture("objects.pkl"))).complaint,
                 QString("the array y holds Python objects (dtype object), which are never read; "
                         "save it as integers, with y.astype('int64')."));
    }

    void cutShortAtAnyByte()
    {
        const QByteArray whole = bytesOf(fixture("small-numpy1-protocol3.pkl"));
        for (qsizetype size = 1; size < whole.size(); ++size) {
            try {
                (void)readDataBytes({whole.constData(), static_cast<std::size_t>(size)});
                QFAIL("read a file that is cut short");
            } catch (const DataError& error) {
                QVERIFY2(QString(error.what()).startsWith("it is cut short: it ends"),
                         error.what());
            }
        }
    }

    void damagedByNewlineConversion()
    {
        for (const char* name : {"small-numpy1-protocol3.pkl", "small-numpy2-protocol2.pkl"}) {
            QByteArray bytes = bytesOf(fixture(name));
            bytes.replace("\n", "\r\n");
            const QString complaint = readBytesAs(bytes).complaint;
            QVERIFY2(complaint.contains("every byte 0A has become 0D 0A"), qPrintable(complaint));
        }
    }

    void saysWhatElseItHolds_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("complaint");
        const auto row = [](const char* name, const QByteArray& bytes, const char* complaint) {
            QTest::newRow(name) << bytes << QString(complaint);
        };
        row("list", QByteArray("\x80\x02]q\x00.", 6),
            "it holds a list; a dict with the NumPy arrays x and y is wanted.");
        row("no arrays", "\x80\x02}.",
            "it has no array x; x (rows x features) and y (labels) are "
            "wanted.");
        row("number", "\x80\x02}U\x01xK\x07s.",
            "x is a whole number; it must be a NumPy array, as made by numpy.array(x).");
        row("protocol 0", "(dp0\nVx\np1\nI5\ns.",
            "it is a pickle of protocol 0; save it again with protocol 2 or later (at most 5).");
        row("protocol 9", "\x80\x09}.",
            "it is a pickle of protocol 9; protocols 2 to 5 can be read, so save it again with "
            "one of them.");
        row("operation INST", "\x80\x02(iposix\nsystem\n.",
            "it uses the pickle operation INST, which is not allowed: only dicts of NumPy arrays "
            "in pickle protocols 2 to 5 are read.");
        row("operation PERSID", "\x80\x02Pabc\n.",
            "it uses the pickle operation PERSID, which is not allowed: only dicts of NumPy arrays "
            "in pickle protocols 2 to 5 are read.");
        row("no operation", "\x80\x02\xff.",
            "it is damaged: byte 2 is no operation of a pickle; get or make the file again.");
        row("unprintable name",
            "\x80\x02"
            "cpo\x01\tsix\nsys\x1btem\n.",
            "it names po??six.sys?tem, which is not allowed: only dicts of NumPy arrays are read, "
            "and nothing a file names is executed.");
    }
    void saysWhatElseItHolds()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, complaint);
        QCOMPARE(readBytesAs(bytes).complaint, complaint);
    }
};

QTEST_APPLESS_MAIN(TestPickleFile)
#include "tst_pickle_file.moc"
