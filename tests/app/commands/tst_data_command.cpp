// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTemporaryDir>
#include <QTest>

using namespace fullbatch;

namespace {

QStringList words(const char* text)
{
    return QString::fromUtf8(text).split(QLatin1Char(' '));
}

QJsonObject described(const char* command, const QString& folder)
{
    const Finished finished = runProgram(words(command), folder);
    if (finished.exitStatus != 0)
        qWarning("%s", finished.errors.constData());
    return QJsonDocument::fromJson(finished.output).object();
}

} // namespace

/// `fullbatch data`.
class TestDataCommand : public QObject
{
    Q_OBJECT

private slots:
    void saysWhatTheDataAre();
    void everyFormatHoldsTheSameNumbers();
    void everyParameterOfTheRecipeCounts_data();
    void everyParameterOfTheRecipeCounts();
    void aMissingClassIsANotice();
    void numbersInAnotherLocale_data();
    void numbersInAnotherLocale();
};

void TestDataCommand::saysWhatTheDataAre()
{
    const QTemporaryDir folder;
    const QJsonObject json = described("data --json", folder.path());
    QCOMPARE(json[QLatin1String("classes")].toInt(), 10);
    QCOMPARE(json[QLatin1String("features")].toInt(), 40);
    QCOMPARE(json[QLatin1String("train")][QLatin1String("rows")].toInt(), 4000);
    QCOMPARE(json[QLatin1String("test")][QLatin1String("rows")].toInt(), 1000);
    // Counted in the published file.
    QCOMPARE(json[QLatin1String("train")][QLatin1String("class_counts")].toArray(),
             (QJsonArray{398, 396, 411, 394, 394, 402, 401, 404, 402, 398}));
    QCOMPARE(json[QLatin1String("test")][QLatin1String("class_counts")].toArray(),
             (QJsonArray{102, 104, 89, 106, 106, 98, 99, 96, 98, 102}));
    QCOMPARE(json[QLatin1String("sha256")].toString().size(), 64);

    const Finished text = runProgram(words("data"), folder.path());
    for (const QByteArray& part : {QByteArray("4,000 rows x 40 values"), QByteArray("SHA-256"),
                                   json[QLatin1String("sha256")].toString().toUtf8()})
        QVERIFY2(text.output.contains(part), part.constData());
}

void TestDataCommand::everyFormatHoldsTheSameNumbers()
{
    const QTemporaryDir folder;
    const QString sha256 = described("data --json --out a.npz --out a.csv --samples 200",
                                     folder.path())[QLatin1String("sha256")]
                               .toString();
    QCOMPARE(sha256.size(), 64);
    QVERIFY(
        described("data --json --samples 210", folder.path())[QLatin1String("sha256")].toString()
        != sha256);
    for (const char* command : {"data --json --data a.npz --out b.csv --out b.npz",
                                "data --json --data b.npz --out c.csv", "data --json --data b.csv"})
        QCOMPARE(described(command, folder.path())[QLatin1String("sha256")].toString(), sha256);
    QVERIFY(fileBytes(folder.filePath(QStringLiteral("a.npz"))).startsWith("PK"));
    QCOMPARE(fileBytes(folder.filePath(QStringLiteral("b.npz"))),
             fileBytes(folder.filePath(QStringLiteral("a.npz"))));
    QCOMPARE(fileBytes(folder.filePath(QStringLiteral("c.csv"))),
             fileBytes(folder.filePath(QStringLiteral("a.csv"))));
}

void TestDataCommand::everyParameterOfTheRecipeCounts_data()
{
    QTest::addColumn<QString>("options");
    for (const char* options : {"--seed 43", "--samples 300", "--train-fraction 0.5", "--length 30",
                                "--padding 30,50", "--scale 0.1", "--translation 12",
                                "--correlated-noise 0.5", "--independent-noise 0.1", "--shear 0.2"})
        QTest::newRow(options) << options;
}

void TestDataCommand::everyParameterOfTheRecipeCounts()
{
    QFETCH(const QString, options);
    const QTemporaryDir folder;
    // A later --samples of the row would be a second one: only 200 where it has none.
    const QString samples = options.startsWith(QLatin1String("--samples"))
        ? QString()
        : QStringLiteral(" --samples 200");
    const QJsonObject standard = described("data --json --samples 200", folder.path());
    const QString command = QStringLiteral("data --json ") + options + samples;
    const QJsonObject changed = described(command.toUtf8().constData(), folder.path());
    QCOMPARE(changed[QLatin1String("sha256")].toString().size(), 64);
    QVERIFY(changed[QLatin1String("sha256")] != standard[QLatin1String("sha256")]);
}

void TestDataCommand::aMissingClassIsANotice()
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("gap.csv")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write("0.5,1.5,0\n0.25,1,2\n");
    file.close();
    const Finished finished = runProgram(words("data --data gap.csv"), folder.path());
    QCOMPARE(finished.exitStatus, 0);
    QVERIFY2(finished.errors.contains("No training row belongs to class 1."),
             finished.errors.constData());
}

void TestDataCommand::numbersInAnotherLocale_data()
{
    QTest::addColumn<QString>("locale");
    QTest::newRow("German") << "de_DE.UTF-8";
    QTest::newRow("French") << "fr_FR.UTF-8";
    QTest::newRow("Chinese") << "zh_CN.UTF-8";
}

// Where the system lacks the locale this says less: the C locale is used instead.
void TestDataCommand::numbersInAnotherLocale()
{
    QFETCH(const QString, locale);
    const QTemporaryDir folder;
    QProcessEnvironment environment = withoutDisplay();
    environment.insert(QStringLiteral("LC_ALL"), locale);
    environment.insert(QStringLiteral("LANG"), locale);
    const QStringList command =
        words("run --widths 3 --learning-rate 0.5 --epochs 8 --test-every 3 "
              "--plot out.svg --quiet --json --csv");
    const Finished here =
        runProgram(command + QStringList{QStringLiteral("a.csv")}, folder.path(), environment);
    QVERIFY2(here.exitStatus == 0, here.errors.constData());
    const Finished there =
        runProgram(command + QStringList{QStringLiteral("b.csv")}, folder.path());
    QCOMPARE(there.exitStatus, 0);
    const QByteArray curve = fileBytes(folder.filePath(QStringLiteral("a.csv")));
    QVERIFY(curve.contains('.'));
    QCOMPARE(curve, fileBytes(folder.filePath(QStringLiteral("b.csv"))));
    QCOMPARE(QJsonDocument::fromJson(here.output)[QLatin1String("train_loss")],
             QJsonDocument::fromJson(there.output)[QLatin1String("train_loss")]);
}

QTEST_GUILESS_MAIN(TestDataCommand)
#include "tst_data_command.moc"
