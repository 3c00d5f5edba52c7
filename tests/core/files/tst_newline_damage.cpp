// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/newline_damage.h"

#include <QByteArray>
#include <QTest>

#include <random>

using namespace fullbatch;

namespace {

QByteArray randomBytes(int count)
{
    std::mt19937 random(5);
    QByteArray bytes;
    for (int index = 0; index < count; ++index)
        bytes.append(static_cast<char>(random()));
    return bytes;
}

QString told(const QByteArray& bytes)
{
    return QString::fromStdString(
        newlineDamage(std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size()))));
}

} // namespace

class TestNewlineDamage : public QObject
{
    Q_OBJECT

private slots:
    void lineFeedsThatGainedAReturn()
    {
        QVERIFY(told(randomBytes(5000).replace("\n", "\r\n")).contains("0A has become 0D 0A"));
        QVERIFY(told("a\r\nb\r\n").contains("0A has become 0D 0A"));
    }

    void lostReturns()
    {
        QVERIFY(told(randomBytes(10'000).replace("\r", "")).contains("0D is missing"));
        const QByteArray large = randomBytes(1'500'000);
        QVERIFY(large.contains("\r\n"));
        QVERIFY(told(QByteArray(large).replace("\r\n", "\n")).contains("have become 0A"));
    }

    void whatDoesNotTell()
    {
        QCOMPARE(told(randomBytes(5000)), QString());
        QCOMPARE(told(randomBytes(1'500'000)), QString());
        QCOMPARE(told("a\r\nb"), QString());
        QCOMPARE(told("short and without any"), QString());
        QCOMPARE(told({}), QString());
    }
};

QTEST_APPLESS_MAIN(TestNewlineDamage)
#include "tst_newline_damage.moc"
