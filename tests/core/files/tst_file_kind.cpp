// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/file_kind.h"

#include "tests/core/files/small_dataset.h"

#include <QTest>

using namespace fullbatch;
using namespace std::string_view_literals;

Q_DECLARE_METATYPE(std::string_view)

class TestFileKind : public QObject
{
    Q_OBJECT

private slots:
    void usable()
    {
        QVERIFY(recognise("\x80\x03}q"sv).format == FileFormat::Pickle);
        QVERIFY(recognise("PK\x03\x04 and so on"sv).format == FileFormat::Npz);
        QVERIFY(recognise("label,x0\n"sv).format == FileFormat::Csv);
        QVERIFY(recognise("\xef\xbb\xbf"
                          "0,1\r\n"sv)
                    .format
                == FileFormat::Csv);
        QVERIFY(recognise("é;ü\n1;2\n"sv).format == FileFormat::Csv);
        QVERIFY(recognise("label,x0\n"sv).refusal.empty());
    }

    void unusable_data()
    {
        QTest::addColumn<std::string_view>("bytes");
        QTest::addColumn<QString>("word");
        const auto row = [](std::string_view bytes, const char* word) {
            QTest::newRow(word) << bytes << QString(word);
        };
        row(""sv, "empty (0 bytes)");
        row("\n \r\n"sv, "blank lines");
        row("<!DOCTYPE html>\n<html>"sv, "web page (HTML)");
        row("\xef\xbb\xbf\n  <HTML><head>"sv, "web page (HTML)");
        row("<p>Not found</p>"sv, "web page");
        row("<?xml version=\"1.0\"?>"sv, "XML");
        row("404: Not Found"sv, "404: Not Found");
        row("version https://git-lfs.github.com/spec/v1\noid sha256:e9\nsize 1642012\n"sv,
            "Git LFS pointer");
        row("/annex/objects/SHA256E-s1--e.pkl"sv, "git-annex pointer");
        row("{\"x\": [1]}"sv, "JSON");
        row("[[1, 2]]"sv, "JSON");
        row("\xff\xfel\0a\0"sv, "UTF-16 text (little-endian)");
        row("\xfe\xff\0l\0a"sv, "UTF-16 text (big-endian)");
        row("\xff\xfe\0\0l\0\0\0"sv, "UTF-32");
        row("l\0a\0b\0e\0l\0"sv, "little-endian, without byte order mark");
        row("\0l\0a\0b\0e\0l"sv, "big-endian, without byte order mark");
        row("\x93NUMPY\x01\0v\0{"sv, "npy file with a single array");
        row("\x1f\x8b\x08"sv, "gzip");
        row("\xfd"
            "7zXZ\0"sv,
            "xz");
        row("\x89HDF\r\n\x1a\n"sv, "HDF5");
        row("\0\0\x08\x03\0\0\xea\x60"sv, "IDX file of images");
        row("(dp0\nVx\n"sv, "pickle of protocol 0");
        row("}q\x01(X"sv, "pickle of protocol 1");
        row("\xef\xbf\xbd\x03}q"sv, "conversion to UTF-8");
        row("\x01\x02\x03\x04\x05"sv, "begins with the bytes 01 02 03 04");
    }
    void unusable()
    {
        QFETCH(std::string_view, bytes);
        QFETCH(QString, word);
        const FileKind kind = recognise(bytes);
        QVERIFY(kind.format == FileFormat::Unusable);
        QVERIFY2(QString::fromStdString(kind.refusal).contains(word), kind.refusal.c_str());
    }

    void theNameDoesNotCount()
    {
        for (const char* name : {"data.pkl", "data.npz", "data.csv"}) {
            QCOMPARE(readBytesAs("<!DOCTYPE html><html></html>", name).complaint,
                     QString("it is a web page (HTML), not data; open the link in a browser and "
                             "save the file itself."));
            QCOMPARE(readBytesAs("version https://git-lfs.github.com/spec/v1\n", name).complaint,
                     QString("it is a Git LFS pointer, not the data; run \"git lfs pull\" or "
                             "download the file itself."));
            QCOMPARE(readBytesAs("", name).complaint,
                     QString("it is empty (0 bytes); get or make the file again."));
        }
    }

    void filesThatCannotBeOpened()
    {
        const QTemporaryDir folder;
        for (const QString& path : {folder.path(), folder.filePath(QString::fromUtf8("无.csv"))}) {
            try {
                (void)readDataFile(path.toStdString());
                QFAIL("read what cannot be read");
            } catch (const DataError& error) {
                const QString text = QString::fromUtf8(error.what());
                QVERIFY(text == "Cannot read " + path + ": Is a directory."
                        || text == "Cannot read " + path + ": No such file or directory.");
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestFileKind)
#include "tst_file_kind.moc"
