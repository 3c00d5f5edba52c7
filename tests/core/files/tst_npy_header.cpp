// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/npy_header.h"

#include "core/data/dataset.h"

#include <QTest>

using namespace fullbatch;
using namespace std::string_literals;

namespace {

std::string npy(const std::string& text, char version = 1)
{
    std::string bytes = "\x93NUMPY";
    bytes += version;
    bytes += '\0';
    bytes += static_cast<char>(text.size());
    bytes += std::string(version == 1 ? 1 : 3, '\0');
    return bytes + text;
}

QString complaint(const std::string& bytes)
{
    try {
        (void)parseNpyHeader(bytes, "x");
    } catch (const DataError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class TestNpyHeader : public QObject
{
    Q_OBJECT

private slots:
    void whatNumPyWrites()
    {
        const std::string text =
            "{'descr': '<f8', 'fortran_order': False, 'shape': (4000, 40), }      \n";
        const NpyHeader header = parseNpyHeader(npy(text) + "numbers", "x");
        QCOMPARE(header.type, std::string("<f8"));
        QVERIFY(!header.columnOrder);
        QCOMPARE(header.shape, (std::vector<std::int64_t>{4000, 40}));
        QCOMPARE(header.size, text.size() + 10);
        for (const char version : {'\2', '\3'})
            QCOMPARE(parseNpyHeader(npy(text, version), "x").size, text.size() + 12);
    }

    void otherSpellings()
    {
        const NpyHeader header = parseNpyHeader(
            npy("{\"shape\":(4000L,),\"fortran_order\":True,\"descr\":\"|u1\"}"), "x");
        QVERIFY(header.columnOrder);
        QCOMPARE(header.shape, std::vector<std::int64_t>{4000});
        QVERIFY(parseNpyHeader(npy("{'descr':'<f8','fortran_order':False,'shape':()}"), "x")
                    .shape.empty());
        QCOMPARE(parseNpyHeader(npy("{'descr': [('a', '<f8')], 'shape': (1,), }"), "x").type,
                 std::string("structured"));
    }

    void damagedHeaders()
    {
        for (const std::string& text :
             {""s, "{"s, "{'descr'"s, "{'descr': '<f8"s, "{'descr': '<f8', 'shape': (4000, 40"s,
              "{'descr': '<f8', 'shape': (99999999999999999999,)}"s, "{'descr': <f8}"s,
              "{'descr': '<f8', 'fortran_order': Maybe}"s, "{'descr': '<f8', 'colour': 'red'}"s,
              "{'shape': (1,)}"s, "{'descr': '<f8', 'shape': (a,)}"s})
            QCOMPARE(complaint(npy(text)),
                     QString("the header of the array x is not one that NumPy writes; the file is "
                             "damaged"));
        QVERIFY(complaint("NUMPY").contains("is no npy file"));
        QVERIFY(complaint(npy("{}", 9)).contains("version 9"));
        QVERIFY(complaint(npy("{'descr': '<f8'}").substr(0, 20)).contains("cut short"));
    }
};

QTEST_APPLESS_MAIN(TestNpyHeader)
#include "tst_npy_header.moc"
