// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"

#include <QFile>
#include <QImage>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>
#include <QtEndian>

using namespace fullbatch;

namespace {

QStringList words(const char* text)
{
    return QString::fromUtf8(text).split(QLatin1Char(' '));
}

QJsonObject jsonOf(const QByteArray& bytes)
{
    return QJsonDocument::fromJson(bytes).object();
}

} // namespace

/// `fullbatch run` and its files.
class TestRunCommand : public QObject
{
    Q_OBJECT

private slots:
    void twiceAndWithOtherThreadsGivesTheSameBytes_data();
    void twiceAndWithOtherThreadsGivesTheSameBytes();
    void csvHasEveryEpochOnce();
    void resultsAreJson();
    void weightsAreSafetensors();
    void picturesInEveryFormat();
    void depthWithoutWidthKeepsTheBudget();
    void noHiddenLayer();
    void savedSpecRepeatsTheRun();
    void savedSpecKnowsItsData();
    void namesBeyondAscii();
    void progressCanBeSilenced();
};

void TestRunCommand::twiceAndWithOtherThreadsGivesTheSameBytes_data()
{
    QTest::addColumn<QString>("options");
    QTest::newRow("four layers") << "--depth 4 --width 63 --epochs 40 --test-every 7";
    QTest::newRow("odd widths, momentum")
        << "--widths 7,3 --momentum 0.9 --learning-rate 0.02 --epochs 60";
    QTest::newRow("reference") << "--engine reference --widths 5 --epochs 4";
}

void TestRunCommand::twiceAndWithOtherThreadsGivesTheSameBytes()
{
    QFETCH(const QString, options);
    const QTemporaryDir folder;
    const QStringList common = QStringList{QStringLiteral("run")} + options.split(QLatin1Char(' '));
    for (const char* files :
         {"--csv a.csv --weights a.st", "--csv b.csv --weights b.st",
          "--threads 1 --csv c.csv --weights c.st", "--threads 2 --csv d.csv --weights d.st",
          "--threads 3 --csv e.csv --weights e.st"}) {
        const Finished finished = runProgram(common + words(files), folder.path());
        QVERIFY2(finished.exitStatus == 0, finished.errors.constData());
    }
    for (const char* kind : {".csv", ".st"}) {
        const QByteArray first =
            fileBytes(folder.filePath(QLatin1String("a") + QLatin1String(kind)));
        QVERIFY(first.count('\n') > 4 || first.contains("F32"));
        for (const char* other : {"b", "c", "d", "e"})
            QVERIFY2(fileBytes(folder.filePath(QLatin1String(other) + QLatin1String(kind)))
                         == first,
                     other);
    }
}

void TestRunCommand::csvHasEveryEpochOnce()
{
    const QTemporaryDir folder;
    const Finished finished = runProgram(
        words("run --widths 4 --epochs 3000 --test-every 1000 --csv out.csv"), folder.path());
    QCOMPARE(finished.exitStatus, 0);
    const QList<QByteArray> lines =
        fileBytes(folder.filePath(QStringLiteral("out.csv"))).split('\n');
    QCOMPARE(lines.size(), 3000 + 2); // header, and nothing after the last line end
    QCOMPARE(lines.first(),
             QByteArray("epoch,train_error_percent,train_loss,test_error_percent,test_loss"));
    QVERIFY(lines.last().isEmpty());
    for (int epoch = 0; epoch < 3000; ++epoch) {
        const QList<QByteArray> cells = lines[epoch + 1].split(',');
        QCOMPARE(cells.size(), 5);
        QCOMPARE(cells[0].toInt(), epoch);
        const bool tested = epoch % 1000 == 0 || epoch == 2999;
        QCOMPARE(cells[3].isEmpty(), !tested);
        QCOMPARE(cells[4].isEmpty(), !tested);
    }
}

void TestRunCommand::resultsAreJson()
{
    const QTemporaryDir folder;
    const Finished finished =
        runProgram(words("run --depth 2 --width 9 --epochs 20 --test-every 5 --json --quiet "
                         "--csv out.csv"),
                   folder.path());
    QCOMPARE(finished.exitStatus, 0);
    QCOMPARE(finished.errors, QByteArray());
    const QJsonObject json = jsonOf(finished.output);
    QCOMPARE(json[QLatin1String("status")].toString(), QStringLiteral("done"));
    QCOMPARE(json[QLatin1String("epochs")].toInt(), 20);
    QCOMPARE(json[QLatin1String("network")].toString(), QStringLiteral("40-9-9-10"));
    QCOMPARE(json[QLatin1String("parameters")].toInt(), 40 * 9 + 9 + 9 * 9 + 9 + 9 * 10 + 10);
    QCOMPARE(json[QLatin1String("files")].toArray().size(), 1);
    QCOMPARE(json[QLatin1String("data")][QLatin1String("train_rows")].toInt(), 4000);
    QCOMPARE(json[QLatin1String("spec")][QLatin1String("epochs")].toInt(), 20);
    // The last line of the curve says the same.
    const QByteArray last = fileBytes(folder.filePath(QStringLiteral("out.csv"))).split('\n')[20];
    QCOMPARE(json[QLatin1String("train_error_percent")].toDouble(), last.split(',')[1].toDouble());
    QCOMPARE(static_cast<float>(json[QLatin1String("train_loss")].toDouble()),
             last.split(',')[2].toFloat());
    QCOMPARE(static_cast<float>(json[QLatin1String("test_loss")].toDouble()),
             last.split(',')[4].toFloat());
}

void TestRunCommand::weightsAreSafetensors()
{
    const QTemporaryDir folder;
    const Finished finished =
        runProgram(words("run --widths 7,3 --epochs 2 --weights w.safetensors"), folder.path());
    QCOMPARE(finished.exitStatus, 0);
    const QByteArray bytes = fileBytes(folder.filePath(QStringLiteral("w.safetensors")));
    QVERIFY(bytes.size() > 8);
    const auto headerLength = qFromLittleEndian<quint64>(bytes.constData());
    QCOMPARE(headerLength % 8, 0U);
    const QJsonObject header = jsonOf(bytes.mid(8, static_cast<qsizetype>(headerLength)));
    const QJsonObject weight = header[QLatin1String("2.weight")].toObject();
    QCOMPARE(weight[QLatin1String("dtype")].toString(), QStringLiteral("F32"));
    QCOMPARE(weight[QLatin1String("shape")].toArray(), (QJsonArray{3, 7}));
    QCOMPARE(header[QLatin1String("4.bias")][QLatin1String("shape")].toArray(), QJsonArray{10});
    const int parameters = 40 * 7 + 7 + 7 * 3 + 3 + 3 * 10 + 10;
    QCOMPARE(bytes.size(), 8 + static_cast<qsizetype>(headerLength) + 4 * parameters);
}

void TestRunCommand::picturesInEveryFormat()
{
    const QTemporaryDir folder;
    const Finished finished =
        runProgram(words("run --widths 8 --epochs 200 --quiet --plot a.png --plot a.svg --plot "
                         "a.pdf --test-every 50"),
                   folder.path());
    QVERIFY2(finished.exitStatus == 0, finished.errors.constData());
    const QImage image(folder.filePath(QStringLiteral("a.png")));
    QVERIFY(image.width() >= 800 && image.height() >= 500);
    const QByteArray svg = fileBytes(folder.filePath(QStringLiteral("a.svg")));
    QVERIFY(svg.contains("<svg"));
    QVERIFY(svg.contains("poch"));
    QVERIFY(svg.contains("error"));
    QVERIFY(!svg.contains("nan"));
    QVERIFY(fileBytes(folder.filePath(QStringLiteral("a.pdf"))).startsWith("%PDF-"));
}

void TestRunCommand::depthWithoutWidthKeepsTheBudget()
{
    const QTemporaryDir folder;
    const char* const networks[] = {"40-298-10", "40-100-100-10", "40-75-75-75-10",
                                    "40-63-63-63-63-10"};
    for (int depth = 1; depth <= 4; ++depth) {
        const Finished finished =
            runProgram(words("run --epochs 1 --json --depth") + QStringList{QString::number(depth)},
                       folder.path());
        QCOMPARE(finished.exitStatus, 0);
        QCOMPARE(jsonOf(finished.output)[QLatin1String("network")].toString(),
                 QString::fromLatin1(networks[depth - 1]));
    }
}

void TestRunCommand::noHiddenLayer()
{
    const QTemporaryDir folder;
    const Finished finished = runProgram(words("run --depth 0 --epochs 5 --json"), folder.path());
    QCOMPARE(finished.exitStatus, 0);
    QCOMPARE(jsonOf(finished.output)[QLatin1String("parameters")].toInt(), 410);
}

void TestRunCommand::savedSpecRepeatsTheRun()
{
    const QTemporaryDir folder;
    const Finished first = runProgram(
        words("run --depth 2 --width 11 --seed 7 --learning-rate 1e-2 --momentum 0.5 --epochs 30 "
              "--test-every 10 --csv a.csv --save-spec run.json"),
        folder.path());
    QVERIFY2(first.exitStatus == 0, first.errors.constData());
    const Finished second =
        runProgram(words("run --spec run.json --csv b.csv --save-spec again.json"), folder.path());
    QVERIFY2(second.exitStatus == 0, second.errors.constData());
    const QByteArray curve = fileBytes(folder.filePath(QStringLiteral("a.csv")));
    QVERIFY(curve.count('\n') == 31);
    QCOMPARE(fileBytes(folder.filePath(QStringLiteral("b.csv"))), curve);
    QCOMPARE(fileBytes(folder.filePath(QStringLiteral("again.json"))),
             fileBytes(folder.filePath(QStringLiteral("run.json"))));
}

void TestRunCommand::savedSpecKnowsItsData()
{
    const QTemporaryDir folder;
    QCOMPARE(runProgram(words("run --widths 2 --epochs 1 --save-spec run.json"), folder.path())
                 .exitStatus,
             0);
    QCOMPARE(runProgram(words("data --seed 43 --out other.npz"), folder.path()).exitStatus, 0);
    QByteArray spec = fileBytes(folder.filePath(QStringLiteral("run.json")));
    QVERIFY(spec.contains("\"seed\": 42"));
    spec.replace("\"seed\": 42", "\"seed\": 43");
    QFile file(folder.filePath(QStringLiteral("run.json")));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(spec) == spec.size());
    file.close();
    const Finished finished = runProgram(words("run --spec run.json"), folder.path());
    QCOMPARE(finished.exitStatus, 2);
    QVERIFY2(finished.errors.contains("SHA-256"), finished.errors.constData());
}

void TestRunCommand::namesBeyondAscii()
{
    const QTemporaryDir folder;
    const QString name = QStringLiteral("实验 数据 é🙂");
    QVERIFY(QDir(folder.path()).mkdir(name));
    const QString inside = folder.filePath(name) + QStringLiteral("/a%20b#1");
    const Finished data = runProgram(
        {QStringLiteral("data"), QStringLiteral("--out"), inside + QStringLiteral(".npz")},
        folder.path());
    QVERIFY2(data.exitStatus == 0, data.errors.constData());
    const Finished run = runProgram(
        words("run --widths 3 --epochs 2 --json")
            + QStringList{QStringLiteral("--data"), inside + QStringLiteral(".npz"),
                          QStringLiteral("--csv"), inside + QStringLiteral(".csv"),
                          QStringLiteral("--weights"), inside + QStringLiteral(".safetensors")},
        folder.path());
    QVERIFY2(run.exitStatus == 0, run.errors.constData());
    QCOMPARE(jsonOf(run.output)[QLatin1String("files")][0].toString(),
             inside + QStringLiteral(".csv"));
    QVERIFY(QFile::exists(inside + QStringLiteral(".safetensors")));
}

void TestRunCommand::progressCanBeSilenced()
{
    const QTemporaryDir folder;
    const Finished loud = runProgram(words("run --widths 3 --epochs 5"), folder.path());
    QVERIFY(loud.errors.contains("epoch 5 of 5"));
    QVERIFY(loud.output.contains("5 epochs done"));
    const Finished quiet = runProgram(words("run --widths 3 --epochs 5 --quiet"), folder.path());
    QCOMPARE(quiet.errors, QByteArray());
}

QTEST_GUILESS_MAIN(TestRunCommand)
#include "tst_run_command.moc"
