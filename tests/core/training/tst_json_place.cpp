// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/json_place.h"

#include <QTest>

using namespace fullbatch;

class JsonPlaceTest : public QObject
{
    Q_OBJECT

private slots:
    void linesAndColumnsBeginWithOne()
    {
        QCOMPARE(lineAndColumn("ab\ncd", 0), std::string("line 1, column 1"));
        QCOMPARE(lineAndColumn("ab\ncd", 1), std::string("line 1, column 2"));
        QCOMPARE(lineAndColumn("ab\ncd", 4), std::string("line 2, column 2"));
        QCOMPARE(lineAndColumn("ab\n", 99), std::string("line 2, column 1"));
        QCOMPARE(lineAndColumn("", 0), std::string("line 1, column 1"));
    }

    void pathsAreFound_data()
    {
        QTest::addColumn<QByteArray>("path");
        QTest::addColumn<QByteArray>("at"); // what begins there
        QTest::newRow("first") << QByteArray("a") << QByteArray("\"a\": 1");
        QTest::newRow("inner") << QByteArray("b.a") << QByteArray("\"a\": 2");
        QTest::newRow("entry") << QByteArray("c[1]") << QByteArray("{\"x\": 5");
        QTest::newRow("in an entry") << QByteArray("c[1].x") << QByteArray("\"x\": 5");
        QTest::newRow("nested lists") << QByteArray("d[1][0]") << QByteArray("7]");
        QTest::newRow("after a text with braces") << QByteArray("f") << QByteArray("\"f\": 8");
        QTest::newRow("not there") << QByteArray("b.z") << QByteArray();
    }

    void pathsAreFound()
    {
        QFETCH(QByteArray, path);
        QFETCH(QByteArray, at);
        const std::string text = "{\"a\": 1, \"b\": {\"q\": [], \"a\": 2}, \"c\": [{\"x\": 4}, "
                                 "{\"x\": 5}],\n\"d\": [[6], [7]], \"e\": \"\\\"}]{[,\", \"f\": 8}";
        const std::size_t place = jsonPlace(text, path.toStdString());
        QVERIFY(place <= text.size());
        QCOMPARE(QByteArray::fromStdString(text.substr(place, std::size_t(at.size()))), at);
        QCOMPARE(at.isEmpty(), place == text.size());
    }
};

QTEST_APPLESS_MAIN(JsonPlaceTest)
#include "tst_json_place.moc"
