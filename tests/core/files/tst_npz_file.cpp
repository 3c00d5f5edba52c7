// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/files/small_dataset.h"

#include "core/exchange/npz_archive.h"

#include <QTest>

using namespace fullbatch;

namespace {

QByteArray npz(const std::vector<NpyArray>& arrays)
{
    const std::vector<std::byte> bytes = npzArchive(arrays);
    return {reinterpret_cast<const char*>(bytes.data()), static_cast<qsizetype>(bytes.size())};
}

const std::vector<float> someInputs(6, 0.5F); // 3 x 2
const std::vector<std::int64_t> someLabels = {0, 1, 0};

NpyArray inputs(const char* name, std::vector<std::int64_t> shape)
{
    return {name, "<f4", std::move(shape), std::as_bytes(std::span(someInputs))};
}

NpyArray labels(const char* name, std::vector<std::int64_t> shape)
{
    return {name, "<i8", std::move(shape), std::as_bytes(std::span(someLabels))};
}

} // namespace

class TestNpzFile : public QObject
{
    Q_OBJECT

private slots:
    void everyWayOfWriting_data()
    {
        QTest::addColumn<QString>("name");
        for (const char* name : {"plain.npz", "compressed.npz", "streamed.npz", "column-order.npz",
                                 "big-endian.npz", "small-types.npz"})
            QTest::newRow(name) << QString(name);
    }
    void everyWayOfWriting()
    {
        QFETCH(QString, name);
        const Reading reading = readBytesAs(bytesOf(fixture(name)), "misnamed.csv");
        QCOMPARE(reading.complaint, QString());
        QVERIFY(sameData(reading.data, smallDataset()));
    }

    void aDamagedMemberIsNamed_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("member");
        for (const char* name : {"plain.npz", "compressed.npz", "streamed.npz"}) {
            for (const char* member : {"x.npy", "y_test.npy", "t.npy"})
                QTest::addRow("%s of %s", member, name) << QString(name) << QByteArray(member);
        }
    }
    void aDamagedMemberIsNamed()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, member);
        QByteArray bytes = bytesOf(fixture(name));
        // In the member's own header the lengths of its name and of the extra field come before it.
        const QByteArray lengths =
            QByteArray(1, static_cast<char>(member.size())) + QByteArray("\0\x14\0", 3);
        const qsizetype at = bytes.indexOf(lengths + member) + 45;
        bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
        const QString complaint = readBytesAs(bytes).complaint;
        QVERIFY2(complaint.startsWith("its member " + QString(member)
                                      + " is damaged: it fails its checksum"),
                 qPrintable(complaint));
    }

    void objectsAreRefusedWithAdvice()
    {
        QCOMPARE(readBytesAs(bytesOf(fixture("objects.npz"))).complaint,
                 QString("the array y holds Python objects (dtype object), which are never read; "
                         "save it as integers, with y.astype('int64')."));
    }

    void cutShort()
    {
        const QByteArray whole = bytesOf(fixture("plain.npz"));
        const QString complaint = readBytesAs(whole.left(whole.size() / 2)).complaint;
        QVERIFY2(complaint.startsWith("it begins like a zip archive (npz) but its directory"),
                 qPrintable(complaint));
    }

    void shapesThatDisagree_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("complaint");
        const auto row = [](const char* name, const std::vector<NpyArray>& arrays,
                            const char* complaint) {
            QTest::newRow(name) << npz(arrays) << QString(complaint);
        };
        row("no y", {inputs("x", {3, 2})},
            "it has no array y; x (rows x features) and y (labels) are wanted.");
        row("y too short", {inputs("x", {6, 1}), labels("y", {3})},
            "the array y has 3 labels but x has 6 rows; both must be equal.");
        row("x with 3 dimensions", {inputs("x", {3, 2, 1}), labels("y", {3})},
            "the array x has the shape (3, 2, 1); it must have two dimensions, rows x features.");
        row("x with 1 dimension", {inputs("x", {6}), labels("y", {3})},
            "the array x has the shape (6,); it must have two dimensions, rows x features.");
        row("y with 2 dimensions", {inputs("x", {3, 2}), labels("y", {3, 1})},
            "the array y has the shape (3, 1); it must have one dimension, one whole number a "
            "row.");
        row("x_test with other features",
            {inputs("x", {3, 2}),
             labels("y", {3}),
             inputs("x_test", {6, 1}),
             {"y_test", "<i4", {6}, std::as_bytes(std::span(someLabels))}},
            "the rows of x_test have 1 features but those of x 2; both must be equal.");
        row("x_test alone", {inputs("x", {3, 2}), labels("y", {3}), inputs("x_test", {3, 2})},
            "it has no array y_test although it has x_test.");
        row("y_test alone", {inputs("x", {3, 2}), labels("y", {3}), labels("y_test", {3})},
            "it has no array x_test although it has y_test.");
        row("longer than its shape", {inputs("x", {3, 1}), labels("y", {3})},
            "the array x has the shape (3, 1), which takes 12 bytes, but holds 24; the file is "
            "damaged.");
        row("shorter than its shape", {inputs("x", {3, 1000}), labels("y", {3})},
            "the array x has the shape (3, 1000), which takes 12000 bytes, but holds 24; the file "
            "is damaged.");
        row("other dtype",
            {inputs("x", {3, 2}), {"y", "<U6", {1}, std::as_bytes(std::span(someInputs))}},
            "the array y has the dtype \"<U6\"; float32, float64, whole numbers of 8 to 64 bits "
            "and bool can be read, so save it as integers, with y.astype('int64').");
    }
    void shapesThatDisagree()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, complaint);
        QCOMPARE(readBytesAs(bytes).complaint, complaint);
    }

    void moreThanTheMemory()
    {
        const QString complaint =
            readBytesAs(npz({inputs("x", {1'000'000'000'000, 40}), labels("y", {3})})).complaint;
        QVERIFY2(complaint.contains("more than this machine's memory"), qPrintable(complaint));
    }

    void valuesThatAreNotFinite_data()
    {
        QTest::addColumn<double>("value");
        QTest::addColumn<QString>("what");
        QTest::newRow("nan") << std::numeric_limits<double>::quiet_NaN() << "is nan";
        QTest::newRow("inf") << std::numeric_limits<double>::infinity() << "is inf";
        QTest::newRow("-inf") << -std::numeric_limits<double>::infinity() << "is -inf";
        QTest::newRow("1e39") << 1e39 << "is too large for float32";
    }
    void valuesThatAreNotFinite()
    {
        QFETCH(double, value);
        QFETCH(QString, what);
        std::vector<double> numbers(6, 0.5);
        numbers[5] = value;
        const NpyArray x = {"x", "<f8", {3, 2}, std::as_bytes(std::span(numbers))};
        QCOMPARE(readBytesAs(npz({x, labels("y", {3})})).complaint,
                 "row 2, column 1 of x (both counted from 0) " + what
                     + "; every input must be a finite number.");
    }

    void otherArchives()
    {
        QCOMPARE(
            readBytesAs(QByteArray("PK\x05\x06") + QByteArray(18, '\0')).complaint,
            QString("it is a zip archive that holds nothing; an npz with the arrays x and y is "
                    "wanted."));
        QByteArray other = npz({inputs("x", {3, 2})});
        other.replace("x.npy", "x.bmp");
        QCOMPARE(readBytesAs(other).complaint,
                 QString("it is a zip archive that holds x.bmp; an npz with the arrays x and y is "
                         "wanted."));
    }
};

QTEST_APPLESS_MAIN(TestNpzFile)
#include "tst_npz_file.moc"
