// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/number_array.h"

#include "core/data/dataset.h"

#include <QTest>

using namespace fullbatch;
using namespace std::string_view_literals;

Q_DECLARE_METATYPE(std::string_view)

namespace {

QString complaint(std::string_view type, const char* name)
{
    try {
        (void)numberType(type, name);
    } catch (const DataError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class TestNumberArray : public QObject
{
    Q_OBJECT

private slots:
    // The bytes are what NumPy's tobytes() gives.
    void everyTypeInBothByteOrders_data()
    {
        QTest::addColumn<QString>("type");
        QTest::addColumn<std::string_view>("bytes");
        QTest::addColumn<double>("value");
        const auto row = [](const char* type, std::string_view bytes, double value) {
            QTest::newRow(type) << QString(type) << bytes << value;
        };
        row("<f4", "\0\0\x20\xc0"sv, -2.5);
        row(">f4", "\xc0\x20\0\0"sv, -2.5);
        row("<f8", "\x9a\x99\x99\x99\x99\x99\xb9\x3f"sv, 0.1);
        row(">f8", "\x3f\xb9\x99\x99\x99\x99\x99\x9a"sv, 0.1);
        row("=f8", "\x9a\x99\x99\x99\x99\x99\xb9\x3f"sv, 0.1);
        row("f4", "\0\0\x20\xc0"sv, -2.5);
        row("|i1", "\xfe"sv, -2);
        row("|u1", "\xfe"sv, 254);
        row("<i2", "\xfe\xff"sv, -2);
        row(">i2", "\xff\xfe"sv, -2);
        row("<u2", "\x01\xff"sv, 65281);
        row(">u2", "\x01\xff"sv, 511);
        row("<i4", "\0\0\0\x80"sv, -2147483648.0);
        row(">i4", "\0\0\0\x80"sv, 128);
        row("<u4", "\0\0\0\x80"sv, 2147483648.0);
        row(">u4", "\x80\0\0\0"sv, 2147483648.0);
        row("<i8", "\xff\xff\xff\xff\xff\xff\xff\xff"sv, -1);
        row(">i8", "\0\0\0\0\0\0\x01\0"sv, 256);
        row("<u8", "\xff\xff\xff\xff\xff\xff\xff\xff"sv, 18446744073709551615.0);
        row(">u8", "\0\0\0\0\0\0\x01\0"sv, 256);
        row("|b1", "\x01"sv, 1);
    }
    void everyTypeInBothByteOrders()
    {
        QFETCH(QString, type);
        QFETCH(std::string_view, bytes);
        QFETCH(double, value);
        NumberArray array;
        array.type = numberType(type.toStdString(), "x");
        QCOMPARE(array.type.size, bytes.size());
        const std::string two = std::string(bytes.size(), '\0') + std::string(bytes);
        array.bytes = two;
        array.shape = {2};
        checkLength(array);
        QVERIFY(numberAt(array, 1) == value);
        QVERIFY(numberAt(array, 0) != value);
    }

    void otherTypesAreNamed()
    {
        QCOMPARE(complaint("|O", "y"),
                 QString("the array y holds Python objects (dtype object), which are never read; "
                         "save it as integers, with y.astype('int64')"));
        QVERIFY(complaint("|O8", "x_test").contains("x_test.astype('float32')"));
        for (const char* type : {"<f2", "<f16", "<c16", "<U21", "|S5", "<M8[ns]", "|V16", "i3",
                                 "structured", "", "<", "f", "f88"})
            QVERIFY2(complaint(type, "x").contains("has the dtype"), type);
    }

    void lengths()
    {
        const NumberType type = {'f', 8, false};
        QCOMPARE(byteCount({4000, 40}, type, "x"), std::size_t{1'280'000});
        QCOMPARE(byteCount({}, type, "x"), std::size_t{8});
        QCOMPARE(byteCount({0, 1'000'000'000'000}, type, "x"), std::size_t{0});
        QVERIFY_EXCEPTION_THROWN((void)byteCount({-1}, type, "x"), DataError);
        QVERIFY_EXCEPTION_THROWN((void)byteCount({INT64_MAX, INT64_MAX}, type, "x"), DataError);
        QVERIFY_EXCEPTION_THROWN((void)byteCount({INT64_MAX, 0, INT64_MAX}, type, "x"), DataError);
        NumberArray array;
        array.shape = {2};
        array.bytes = "123456789012345";
        QVERIFY_EXCEPTION_THROWN(checkLength(array), DataError);
        QCOMPARE(shapeText({4000, 40}), std::string("(4000, 40)"));
        QCOMPARE(shapeText({7}), std::string("(7,)"));
        QCOMPARE(shapeText({}), std::string("()"));
    }
};

QTEST_APPLESS_MAIN(TestNumberArray)
#include "tst_number_array.moc"
