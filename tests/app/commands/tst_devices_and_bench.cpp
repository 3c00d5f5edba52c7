// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace fullbatch;

namespace {

QJsonArray list(const char* command, const char* key)
{
    const QTemporaryDir folder;
    const Finished finished =
        runProgram(QString::fromUtf8(command).split(QLatin1Char(' ')), folder.path());
    if (finished.exitStatus != 0 || !finished.errors.isEmpty())
        qWarning("%s", finished.errors.constData());
    return QJsonDocument::fromJson(finished.output).object()[QLatin1String(key)].toArray();
}

} // namespace

/// `fullbatch devices` and `fullbatch bench`.
class TestDevicesAndBench : public QObject
{
    Q_OBJECT

private slots:
    void everyEngineIsUsableOrSaysWhyNot();
    void benchMeasuresEveryNetwork();
    void benchMeasuresOne();
    void benchMeasuresMiniBatches();
};

void TestDevicesAndBench::everyEngineIsUsableOrSaysWhyNot()
{
    QStringList ids;
    for (const QJsonValue& engine : list("devices --json", "devices")) {
        ids.append(engine[QLatin1String("id")].toString());
        QVERIFY(!engine[QLatin1String("description")].toString().isEmpty());
        const bool usable = engine[QLatin1String("usable")].toBool();
        QCOMPARE(engine[QLatin1String("unusable")].toString().isEmpty(), usable);
        QCOMPARE(engine[QLatin1String("remedy")].toString().isEmpty(), usable);
        QVERIFY(!engine[QLatin1String("precisions")].toArray().isEmpty());
    }
    QCOMPARE(
        ids,
        (QStringList{QStringLiteral("cpu"), QStringLiteral("gpu"), QStringLiteral("reference")}));
}

void TestDevicesAndBench::benchMeasuresEveryNetwork()
{
    const QJsonArray results = list("bench --engine cpu --seconds 0.05 --json", "results");
    QCOMPARE(results.size(), 4);
    const QList<QJsonArray> networks{{298}, {100, 100}, {75, 75, 75}, {63, 63, 63, 63}};
    for (qsizetype i = 0; i < 4; ++i) {
        const QJsonValue result = results[i];
        QCOMPARE(result[QLatin1String("hidden_widths")].toArray(), networks[i]);
        QCOMPARE(result[QLatin1String("engine")].toString(), QStringLiteral("cpu"));
        const double median = result[QLatin1String("epoch_ms_median")].toDouble();
        const double minimum = result[QLatin1String("epoch_ms_min")].toDouble();
        QVERIFY(minimum > 0 && minimum <= median);
        QVERIFY(qFuzzyCompare(result[QLatin1String("epochs_per_second")].toDouble(), 1e3 / median));
        const double gflops = result[QLatin1String("gflops")].toDouble();
        const double peak = result[QLatin1String("peak_gflops")].toDouble();
        QVERIFY(gflops > 0);
        QVERIFY(peak > 0 && peak <= result[QLatin1String("peak_gflops_highest")].toDouble());
        const QJsonValue share = result[QLatin1String("peak_share")];
        QCOMPARE(share.isNull(), gflops > peak); // on a busy machine
        QVERIFY(share.isNull() || qFuzzyCompare(share.toDouble(), gflops / peak));
    }
}

void TestDevicesAndBench::benchMeasuresOne()
{
    const QJsonArray results =
        list("bench --engine reference --widths 5,4 --threads 1 --seconds 0.01 --json", "results");
    QCOMPARE(results.size(), 1);
    QCOMPARE(results[0][QLatin1String("hidden_widths")].toArray(), (QJsonArray{5, 4}));
    QCOMPARE(results[0][QLatin1String("threads")].toInt(), 1);
    QVERIFY(results[0][QLatin1String("peak_share")].isNull()); // nobody knows its peak
    QCOMPARE(results[0][QLatin1String("batch_size")].toString(), QStringLiteral("full"));
}

void TestDevicesAndBench::benchMeasuresMiniBatches()
{
    const QJsonArray results =
        list("bench --engine cpu --widths 5 --batch-size 100 --seconds 0.01 --json", "results");
    QCOMPARE(results[0][QLatin1String("batch_size")].toInt(), 100);
    // Three passes but one over 40 x 5 and 5 x 10 weights, and the forward pass that measures.
    const double flops = 2.0 * 4000 * (3 * 250 - 200) + 2.0 * 4000 * 250;
    const double seconds = results[0][QLatin1String("epoch_ms_median")].toDouble() / 1e3;
    QVERIFY(qFuzzyCompare(results[0][QLatin1String("gflops")].toDouble() * 1e9, flops / seconds));
}

QTEST_GUILESS_MAIN(TestDevicesAndBench)
#include "tst_devices_and_bench.moc"
