// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/curve_csv.h"

#include <QLocale>
#include <QStringList>
#include <QTest>

#include <clocale>
#include <limits>
#include <locale>
#include <sstream>

using namespace fullbatch;

namespace {

constexpr double notANumber = std::numeric_limits<double>::quiet_NaN();
constexpr double infinite = std::numeric_limits<double>::infinity();

void addEpoch(MetricsLog& log, double loss, std::uint32_t wrongRows, double rate = 0.0025)
{
    EpochMetrics& metrics = log.epochs.next(1)[0];
    metrics.loss = loss;
    metrics.wrongRows = wrongRows;
    metrics.learningRate = rate;
    log.epochs.publish(1);
}

void addTest(MetricsLog& log, std::uint64_t epoch, double loss, std::uint32_t wrongRows)
{
    log.tests.next(1)[0] = {epoch, {loss, wrongRows, log.testRows}};
    log.tests.publish(1);
}

QString csv(const MetricsLog& log)
{
    std::ostringstream out;
    writeCurveCsv(out, log);
    return QString::fromStdString(out.str());
}

} // namespace

class TestCurveCsv : public QObject
{
    Q_OBJECT

private slots:
    void float32Log()
    {
        MetricsLog log;
        log.trainRows = 4000;
        log.testRows = 1000;
        addEpoch(log, 3.5521183013916016, 3584);
        addEpoch(log, 3.491321325302124, 3585);
        addEpoch(log, 0.1F, 0);
        addTest(log, 0, 3.5712864398956299, 889);
        addTest(log, 2, 2.5, 7);
        QCOMPARE(csv(log),
                 QString("epoch,train_error_percent,train_loss,test_error_percent,test_loss\n"
                         "0,89.6,3.5521183,88.9,3.57128644\n"
                         "1,89.625,3.49132133,,\n"
                         "2,0,0.100000001,0.7,2.5\n"));
    }

    void float64LogReadsBackExactly()
    {
        MetricsLog log;
        log.precision = Precision::Fp64;
        log.trainRows = 3;
        addEpoch(log, 0.1, 1);
        const QStringList cells = csv(log).split('\n')[1].split(',');
        QCOMPARE(cells[1], QString("33.333333333333336"));
        QCOMPARE(cells[2], QString("0.10000000000000001"));
        QVERIFY(QLocale::c().toDouble(cells[1]) == 100.0 / 3);
    }

    void valuesThatAreNotFinite()
    {
        MetricsLog log;
        log.trainRows = 10;
        addEpoch(log, notANumber, 9);
        addEpoch(log, -notANumber, 9);
        addEpoch(log, infinite, 9);
        addTest(log, 1, -notANumber, 0); // an empty test split has no error either
        QCOMPARE(csv(log).section('\n', 1),
                 QString("0,nan,nan,,\n1,nan,nan,nan,nan\n2,nan,inf,,\n"));
    }

    void miniBatchesSayThatTheyAreMeasuredAfterTheEpoch()
    {
        MetricsLog log;
        log.trainRows = 10;
        log.measuredAfter = true;
        addEpoch(log, 1.5, 9);
        QCOMPARE(csv(log),
                 QString("epoch,train_error_percent_after_epoch,train_loss_after_epoch,"
                         "test_error_percent_after_epoch,test_loss_after_epoch\n0,90,1.5,,\n"));
    }

    void ratesThatChangeHaveAColumnThatReadsBackExactly()
    {
        MetricsLog log;
        log.trainRows = 10;
        addEpoch(log, 1.5, 9, 0.1);
        addEpoch(log, 1.25, 9, 0.1 * 0.1 * 0.1);
        const QStringList lines = csv(log).split('\n');
        QVERIFY(lines[0].endsWith(",test_loss,learning_rate"));
        QCOMPARE(lines[1], QString("0,90,1.5,,,0.1"));
        QVERIFY(QLocale::c().toDouble(lines[2].split(',')[5]) == 0.1 * 0.1 * 0.1);
    }

    void anEmptyLogIsAHeader()
    {
        QCOMPARE(csv(MetricsLog()),
                 QString("epoch,train_error_percent,train_loss,test_error_percent,test_loss\n"));
    }

    void decimalPointInEveryLocale()
    {
        MetricsLog log;
        log.trainRows = 4000;
        addEpoch(log, 2.5, 1);
        const QString expected = csv(log);
        for (const char* name : {"de_DE.UTF-8", "fr_FR.UTF-8", "zh_CN.UTF-8"}) {
            std::setlocale(LC_ALL, name); // where it is installed
            QCOMPARE(csv(log), expected);
        }
        std::setlocale(LC_ALL, "C");
        QVERIFY(expected.endsWith("0,0.025,2.5,,\n"));

        struct Comma : std::numpunct<char>
        {
            char do_decimal_point() const override { return ','; }
            char do_thousands_sep() const override { return '.'; }
            std::string do_grouping() const override { return "\3"; }
        };
        const std::locale before =
            std::locale::global(std::locale(std::locale::classic(), new Comma));
        const QString text = csv(log);
        std::locale::global(before);
        QCOMPARE(text, expected);
    }

    void everyEpochIsThereOnceInOrder()
    {
        constexpr int epochs = 200'000; // over several blocks of the log
        MetricsLog log;
        log.trainRows = 4000;
        for (int epoch = 0; epoch < epochs; ++epoch)
            addEpoch(log, 1.0 / (1 + epoch), static_cast<std::uint32_t>(epoch % 4000));
        const QStringList lines = csv(log).split('\n', Qt::SkipEmptyParts);
        QCOMPARE(lines.size(), epochs + 1);
        for (int epoch = 0; epoch < epochs; ++epoch) {
            const QStringList cells = lines[epoch + 1].split(',');
            QCOMPARE(cells[0].toInt(), epoch);
            QCOMPARE(cells[1].toDouble(), 100.0 * (epoch % 4000) / 4000);
            QCOMPARE(cells[2].toFloat(), static_cast<float>(1.0 / (1 + epoch)));
        }
    }
};

QTEST_APPLESS_MAIN(TestCurveCsv)
#include "tst_curve_csv.moc"
