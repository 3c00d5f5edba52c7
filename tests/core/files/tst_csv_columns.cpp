// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/csv_columns.h"

#include "core/data/dataset.h"

#include <QTest>

using namespace fullbatch;

namespace {

CsvColumns columnsOf(std::string_view text)
{
    return csvColumns(csvLines(text));
}

} // namespace

class TestCsvColumns : public QObject
{
    Q_OBJECT

private slots:
    void linesKeepTheirNumbers()
    {
        const std::vector<CsvLine> lines = csvLines("\xef\xbb\xbf"
                                                    "a\r\n\r\nb\n\n  \n");
        QCOMPARE(lines.size(), std::size_t{3});
        QCOMPARE(lines[2].number, std::size_t{3});
        QVERIFY(lines[1].text.empty());
        QVERIFY(lines[2].text == "b");
        QVERIFY(csvLines("").empty() && csvLines("\n \n").empty());
    }

    void fieldsLoseSpaceAndQuotes()
    {
        std::vector<std::string_view> fields;
        splitFields(" a ,\"b,c\",, \" d\" ", ',', fields);
        QVERIFY((fields == std::vector<std::string_view>{"a", "b,c", "", "d"}));
        splitFields("", ',', fields);
        QCOMPARE(fields.size(), std::size_t{1});
        QCOMPARE(separatorOf("a;b\tc,d"), '\t');
        QCOMPARE(separatorOf("0,5;1,5"), ';');
        QCOMPARE(separatorOf("a"), ',');
    }

    void headerNamesTheColumns()
    {
        const CsvColumns columns = columnsOf("a,Target,split,b\n0.5,1,train,2\n");
        QVERIFY(columns.header);
        QCOMPARE(columns.label, std::size_t{1});
        QVERIFY(columns.split == std::size_t{2});
        QCOMPARE(columns.inputs, (std::vector<std::size_t>{0, 3}));
    }

    void aHeaderMayNameThePixels()
    {
        const CsvColumns columns = columnsOf("0,1,2,y\n0.5,1,2,0\n");
        QVERIFY(columns.header);
        QCOMPARE(columns.label, std::size_t{3});
    }

    void withoutNamesTheLabelIsFirstUnlessOnlyTheLastIsWhole()
    {
        QVERIFY(!columnsOf("2,0.5,0.25\n1,1.5,2.5\n").header);
        QCOMPARE(columnsOf("2,0.5,0.25\n1,1.5,2.5\n").label, std::size_t{0});
        QCOMPARE(columnsOf("0.5,0.25,2\n1.5,2.5,1\n").label, std::size_t{2});
        QCOMPARE(columnsOf("5,0,255\n3,12,0\n").label, std::size_t{0}); // pixels are whole too
        QCOMPARE(columnsOf("p,q,r\n0.5,0.25,2\n").label, std::size_t{2});
        // Bad labels stay where they are, to be complained about.
        QCOMPARE(columnsOf("0.5,0.25,2\n1.5,2.5,x\n1.5,2.5,3\n").label, std::size_t{2});
        QCOMPARE(columnsOf("NA,0.25,0.5\n1,2.5,1.5\n").label, std::size_t{0});
        QVERIFY(!columnsOf("NA,0.25,0.5\n1,2.5,1.5\n").header);
    }

    void tooFewColumns()
    {
        QVERIFY_EXCEPTION_THROWN((void)columnsOf("1\n2\n"), DataError);
        QVERIFY_EXCEPTION_THROWN((void)columnsOf("y,split\n"), DataError);
        QVERIFY_EXCEPTION_THROWN((void)columnsOf(",y\n0,1\n"), DataError);
    }
};

QTEST_APPLESS_MAIN(TestCsvColumns)
#include "tst_csv_columns.moc"
