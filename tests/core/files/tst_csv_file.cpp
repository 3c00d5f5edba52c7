// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/files/small_dataset.h"

#include <QTest>

#include <clocale>

using namespace fullbatch;

namespace {

/// The training rows of the small data set in one of the many dialects.
struct Dialect
{
    char separator = ',';
    char mark = '.';
    bool header = true;
    bool labelLast = false;
    QByteArray start = "";
    QByteArray lineEnd = "\n";
    QByteArray end = "\n";
};

QByteArrayList smallRows(const Dialect& dialect)
{
    const Dataset dataset = smallDataset();
    QByteArrayList rows;
    if (dialect.header)
        rows << (dialect.labelLast ? "a,b,c,d,y" : "Label,a,b,c,d");
    for (Eigen::Index row = 0; row < 6; ++row) {
        QByteArrayList fields;
        for (Eigen::Index column = 0; column < 4; ++column)
            fields << QByteArray::number(dataset.train.inputs(column, row), 'f', 3);
        const QByteArray label =
            QByteArray::number(dataset.train.labels[static_cast<std::size_t>(row)]);
        fields.insert(dialect.labelLast ? 4 : 0, label);
        rows << fields.join(',');
    }
    for (QByteArray& row : rows)
        row.replace('.', '@').replace(',', dialect.separator).replace('@', dialect.mark);
    return rows;
}

QByteArray smallCsv(const Dialect& dialect)
{
    return dialect.start + smallRows(dialect).join(dialect.lineEnd) + dialect.end;
}

/// The plain file with line `line` (from 1) replaced.
QByteArray withLine(qsizetype line, const QByteArray& text)
{
    QByteArrayList rows = smallRows({});
    rows[line - 1] = text;
    return rows.join('\n') + "\n";
}

} // namespace

Q_DECLARE_METATYPE(Dialect)

class TestCsvFile : public QObject
{
    Q_OBJECT

    Dataset m_expected = smallDataset();

private slots:
    void initTestCase() { m_expected.test = {}; }

    void dialects_data()
    {
        QTest::addColumn<Dialect>("dialect");
        const QByteArray mark = "\xef\xbb\xbf";
        const auto row = [](const char* name, const Dialect& dialect) {
            QTest::newRow(name) << dialect;
        };
        row("header", {});
        row("header, mark", {',', '.', true, false, mark});
        row("header, mark, CR LF, no end", {',', '.', true, false, mark, "\r\n", ""});
        row("no header", {',', '.', false});
        row("no header, mark", {',', '.', false, false, mark});
        row("no header, mark, CR LF, no end", {',', '.', false, false, mark, "\r\n", ""});
        row("CR", {',', '.', true, false, "", "\r", "\r"});
        row("label last", {',', '.', true, true});
        row("label last, no header", {',', '.', false, true});
        row("tab", {'\t'});
        row("tab, decimal comma", {'\t', ','});
        row("semicolon", {';'});
        row("semicolon, decimal comma", {';', ','});
        row("semicolon, decimal comma, no header", {';', ',', false});
        row("blank lines at the end", {',', '.', true, false, "", "\n", "\n\n \n\r\n"});
        row("header of numpy.savetxt", {',', '.', true, false, "# "});
    }
    void dialects()
    {
        QFETCH(Dialect, dialect);
        for (const char* locale : {"C", "de_DE.UTF-8", "fr_FR.UTF-8", "zh_CN.UTF-8"}) {
            std::setlocale(LC_ALL, locale); // where it is installed
            const Reading reading = readBytesAs(smallCsv(dialect));
            QCOMPARE(reading.complaint, QString());
            QVERIFY(sameData(reading.data, m_expected));
        }
        std::setlocale(LC_ALL, "C");
    }

    void quotedFields()
    {
        QByteArray csv = withLine(3, "\"0\", \"-0.500\" ,-0.375,\"-0.250\",-0.125");
        QVERIFY(sameData(readBytesAs(csv).data, m_expected));
        csv = smallCsv({',', ',', true});
        QVERIFY(readBytesAs(csv).complaint.startsWith(
            "line 2 has 9 fields separated by commas; expected are 5"));
        QVERIFY(sameData(readBytesAs("label,a,b\n0,\"0,5\",1\n1,2,\"-3,25\"\n").data,
                         readBytesAs("label;a;b\n0;0,5;1\n1;2;-3,25\n").data)
                == false);
    }

    void splitColumn()
    {
        const Reading reading = readBytesAs("a,Split,y\n0.5,train,0\n1.5,test,1\n2.5,train,1\n");
        QCOMPARE(reading.complaint, QString());
        QCOMPARE(reading.data.train.labels, (std::vector<std::int32_t>{0, 1}));
        QCOMPARE(reading.data.test.labels, std::vector<std::int32_t>{1});
        QCOMPARE(reading.data.train.inputs(0, 1), 2.5F);
        QCOMPARE(reading.data.test.inputs(0, 0), 1.5F);
        QCOMPARE(readBytesAs("a,split,y\n0.5,validation,0\n").complaint,
                 QString("line 2, field 2 says \"validation\"; a split must be train or test."));
        QCOMPARE(readBytesAs("a,split,y\n0.5,test,0\n").complaint,
                 QString("it has no training rows; there must be at least one."));
    }

    void complaints_data()
    {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<QString>("complaint");
        const auto row = [](const char* name, const QByteArray& bytes, const char* complaint) {
            QTest::newRow(name) << bytes << QString(complaint);
        };
        row("too short", withLine(4, "1,0,0.125,0.25"),
            "line 4 has 4 fields separated by commas; expected are 5 as in the first line.");
        row("too long", withLine(5, "2,0.5,0.625,0.75,0.875,1"),
            "line 5 has 6 fields separated by commas; expected are 5 as in the first line.");
        row("comma at the end", withLine(5, "2,0.5,0.625,0.75,0.875,"),
            "line 5 has 6 fields separated by commas; expected are 5 as in the first line.");
        row("empty field", withLine(3, "0,-0.500,,-0.250,-0.125"),
            "line 3, field 3 is empty (row 1, column 1 of the inputs, counted from 0); every input "
            "must be a finite number.");
        row("blank line within", withLine(3, ""),
            "line 3 is empty; blank lines may only stand at the end.");
        row("nan", withLine(3, "0,-0.5,0,0,nan"),
            "line 3, field 5 is nan (row 1, column 3 of the inputs, counted from 0); every input "
            "must be a finite number.");
        row("inf", withLine(3, "0,-0.5,0,0,-inf"),
            "line 3, field 5 is -inf (row 1, column 3 of the inputs, counted from 0); every input "
            "must be a finite number.");
        row("1e400", withLine(3, "0,-0.5,0,0,1e400"),
            "line 3, field 5: \"1e400\" is too large for a number (row 1, column 3 of the inputs, "
            "counted from 0); every input must be a finite number.");
        row("1e39", withLine(3, "0,-0.5,0,0,1e39"),
            "line 3, field 5 is too large for float32 (row 1, column 3 of the inputs, counted from "
            "0); every input must be a finite number.");
        row("NA", withLine(3, "0,-0.5,0,0,NA"),
            "line 3, field 5: \"NA\" is not a number (row 1, column 3 of the inputs, counted from "
            "0); every input must be a finite number.");
        row("NA in the first row", "NA,1\n0,2\n",
            "line 1, field 1: \"NA\" is not a number (the label of row 0, counted from 0); a label "
            "must be a whole number from 0 up.");
        row("text label", withLine(3, "two,0,0,0,0"),
            "line 3, field 1: \"two\" is not a number (the label of row 1, counted from 0); a "
            "label must be a whole number from 0 up.");
        row("negative label", withLine(3, "-1,0,0,0,0"),
            "line 3 (row 1, counted from 0) has the label -1; labels must be whole numbers, here 0 "
            "to 2.");
        row("broken label", withLine(3, "3.5,0,0,0,0"),
            "line 3 (row 1, counted from 0) has the label 3.5; labels must be whole numbers, here "
            "0 to 2.");
        row("labels from 1", "y,a\n1,0.5\n2,0.5\n3,0.5\n",
            "line 4 (row 2, counted from 0) has the label 3; labels must start at 0, but the "
            "smallest one is 1: subtract it from each label.");
        row("mixed decimals", "y;a;b\n0;0,5;1\n1;0.5;2\n",
            "line 3, field 2: \"0.5\" has another decimal mark than the numbers before (row 1, "
            "column 0 of the inputs, counted from 0); one file must keep to comma or point.");
        row("commas for everything", "0,-0,25,1\n1,3,75,2\n",
            "its numbers seem to have decimal commas while commas also separate the fields; use "
            "semicolon or tab between fields, or decimal points.");
        row("spaces", "0 1.5 2.5\n1 2.5 3.5\n",
            "line 1 has a single field; a row must be a label and at least one input, separated by "
            "comma, semicolon or tab.");
        row("row numbers", ",y,a\n0,1,0.5\n",
            "line 1, the header, has no name in field 1; every column must have one (remove a "
            "column of row numbers).");
        row("header alone", "y,a\n", "it has no training rows; there must be at least one.");
        row("no inputs", "y,split\n0,train\n",
            "its rows hold no inputs; a row must be a label and at least one input.");
    }
    void complaints()
    {
        QFETCH(QByteArray, bytes);
        QFETCH(QString, complaint);
        QCOMPARE(readBytesAs(bytes, "data.csv").complaint, complaint);
    }

    void aWholeLabelMayHaveAPoint()
    {
        QVERIFY(
            sameData(readBytesAs(withLine(3, "0.0,-0.5,-0.375,-0.250,-0.125")).data, m_expected));
    }
};

QTEST_APPLESS_MAIN(TestCsvFile)
#include "tst_csv_file.moc"
