// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace fullbatch;

/// Whatever is wrong with a command line: exit status 2, one sentence that names the option and
/// what is allowed, nothing on standard output, no file.
class TestBadUsage : public QObject
{
    Q_OBJECT

private slots:
    void numbers_data();
    void numbers() { judge(); }
    void shapes_data();
    void shapes() { judge(); }
    void choices_data();
    void choices() { judge(); }
    void outputs_data();
    void outputs() { judge(); }
    void otherCommands_data();
    void otherCommands() { judge(); }
    void helpIsNoError();

private:
    static void columns();
    static void addRun(const char* options, const char* said);
    static void add(const char* command, const char* said);
    static void judge();
};

void TestBadUsage::columns()
{
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QString>("said");
}

// `command` with blanks between the arguments; '' is an empty one.
void TestBadUsage::add(const char* command, const char* said)
{
    QStringList arguments = QString::fromUtf8(command).split(QLatin1Char(' '));
    arguments.replaceInStrings(QStringLiteral("''"), QString());
    QTest::newRow(command) << arguments << QString::fromUtf8(said);
}

void TestBadUsage::addRun(const char* options, const char* said)
{
    const QByteArray command = QByteArray("run --csv out.csv --epochs 3 ") + options;
    QStringList arguments = QString::fromUtf8(command).split(QLatin1Char(' '));
    arguments.replaceInStrings(QStringLiteral("''"), QString());
    if (arguments.count(QStringLiteral("--epochs")) > 1)
        arguments.remove(3, 2);
    QTest::newRow(options) << arguments << QString::fromUtf8(said);
}

void TestBadUsage::judge()
{
    QFETCH(const QStringList, arguments);
    QFETCH(const QString, said);
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("plain.txt")));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.close();

    const Finished finished = runProgram(arguments, folder.path());

    QCOMPARE(finished.exitStatus, 2);
    QCOMPARE(finished.output, QByteArray());
    QVERIFY2(finished.errors.startsWith("fullbatch"), finished.errors.constData());
    QCOMPARE(finished.errors.count('\n'), 1);
    QVERIFY2(finished.errors.contains(said.toUtf8()), finished.errors.constData());
    QCOMPARE(QDir(folder.path()).entryList(QDir::AllEntries | QDir::NoDotAndDotDot),
             QStringList(QStringLiteral("plain.txt")));
}

void TestBadUsage::numbers_data()
{
    columns();
    addRun("--learning-rate 0", "--learning-rate: The learning rate is 0");
    addRun("--learning-rate -1", "--learning-rate: The learning rate is -1");
    addRun("--learning-rate nan", "\"nan\" is not a number; allowed is a finite number above 0");
    addRun("--learning-rate inf", "\"inf\" is not a number");
    addRun("--learning-rate 1e999", "\"1e999\" is outside what a 64-bit float holds");
    addRun("--learning-rate 1e-999", "\"1e-999\" is outside");
    addRun("--learning-rate 0,0025", "\"0,0025\" is not a number");
    addRun("--learning-rate ''", "\"\" is not a number");
    addRun("--learning-rate 0.1x", "\"0.1x\" is not a number");
    addRun("--learning-rate 1e-46", "in float32 it must be from 1.2e-38 to 3.4e+38");
    addRun("--learning-rate 1e39", "in float32 it must be from 1.2e-38 to 3.4e+38");
    addRun("--momentum 1", "--momentum: The momentum is 1");
    addRun("--momentum -0.1", "--momentum");
    addRun("--momentum nan", "\"nan\" is not a number");
    addRun("--epochs 0", "from 1 to 1,000,000,000");
    addRun("--epochs -5", "from 1 to 1,000,000,000");
    addRun("--epochs 1.5", "\"1.5\" is not a whole number; allowed is a whole number from 1");
    addRun("--epochs 10^12", "\"10^12\" is not a whole number");
    addRun("--epochs 1000000000000", "from 1 to 1,000,000,000");
    addRun("--epochs 99999999999999999999", "is too large");
    addRun("--seed -1", "--seed: -1 is out of range; allowed is a whole number from 0");
    addRun("--seed 4294967296", "--seed: The seed is 4294967296, but");
    addRun("--seed one", "\"one\" is not a whole number");
    addRun("--threads -1", "--threads: The number of threads is -1, but");
    addRun("--threads 0.5", "\"0.5\" is not a whole number");
    addRun("--threads 5000", "from 1 to 1024");
    addRun("--test-every -1", "--test-every");
    addRun("--batch-size -1", "--batch-size: The batch size is -1, but");
    addRun("--step-every 0", "--step-every: The number of epochs between two steps");
    addRun("--step-factor 0", "above 0 and at most 1");
    addRun("--warm-up -1", "--warm-up");
    addRun("--random-labels 101", "from 0 to 100");
    addRun("--stop-error 100.5", "from 0 to 100");
    addRun("--stop-tests 3", "--stop-tests: The run is to end when its test error does not fall");
    addRun("--nesterov", "--nesterov: Nesterov's rule is on, but the momentum is 0");
    addRun("--batch-size half", "\"half\" is not a whole number; allowed is full");
}

void TestBadUsage::shapes_data()
{
    columns();
    addRun("--widths 63,,63", "\"63,,63\" lacks a width");
    addRun("--widths 63,0", "\"0\" is no width");
    addRun("--widths 63,-3", "\"-3\" is no width");
    addRun("--widths 63,b", "\"b\" is not a whole number");
    addRun("--widths 63,", "lacks a width");
    addRun("--widths ''", "lacks a width");
    addRun("--depth -1", "--depth: -1 is below 0");
    addRun("--depth 1.5", "\"1.5\" is not a whole number");
    addRun("--depth 2 --width 0", "--width: 0 is no width");
    addRun("--width 20", "--width needs --depth");
    addRun("--depth 2 --widths 3,3", "--widths already says every hidden layer");
    addRun("--preset four-layers --depth 2", "--preset already says the hidden layers");
    addRun("--widths 50000000,50000000", "memory");
    addRun("--widths 9000000000000000000", "--widths");
    addRun("--depth 1000000000000 --width 1", "memory");
    addRun("--depth 9000000000000000000 --width 1", "memory");
}

void TestBadUsage::choices_data()
{
    columns();
    addRun("--engine tpu", "there is no engine \"tpu\"; allowed are cpu, gpu, reference");
    addRun("--engine gpu", "gpu cannot be used");
    addRun("--precision fp33", "--precision: \"fp33\" is unknown; allowed are fp32");
    addRun("--precision fp64", "cpu does not compute in fp64; allowed is fp32, tf32, bf16, fp16");
    addRun("--activation swish", "\"swish\" is unknown; allowed are relu, leaky-relu");
    addRun("--initialisation ones", "\"ones\" is unknown; allowed are he-uniform");
    addRun("--schedule linear", "\"linear\" is unknown; allowed are constant, step, cosine");
    addRun("--preset five-layers", "the presets are figure-20-2, notebook-20-1, depth");
    addRun("--data missing.npz", "missing.npz");
    addRun("--data ''", "--data: the name of the file is empty");
    addRun("--data /dev/zero", "it is a device and not a file");
    addRun("--data .", "--data");
    addRun("--data plain.txt", "plain.txt");
    addRun("--spec missing.json", "--spec: missing.json cannot be read");
    addRun("--spec plain.txt", "--spec: plain.txt: ");
    addRun("--learnrate 1", "--learnrate");
    addRun("--epochs", "--epochs");
    add("fly", "fly");
    add("--fly", "--fly");
}

void TestBadUsage::outputs_data()
{
    columns();
    addRun("--weights missing/w.safetensors", "--weights: ");
    addRun("--weights plain.txt/w.safetensors", "--weights: ");
    addRun("--weights out.csv", "out.csv is already written by --csv");
    addRun("--weights ./out.csv", "already written by --csv");
    addRun("--plot curve.jpg", "curve.jpg ends in \".jpg\"; allowed are files that end in .png");
    addRun("--plot curve", "allowed are files that end in .png");
    addRun("--plot missing/curve.png", "--plot: ");
    addRun("--weights .", "--weights: ");
    addRun("--weights ''", "--weights: the name of the file is empty");
    addRun("--plot ''", "--plot: the name of the file is empty");
    addRun("--save-spec ''", "--save-spec: the name of the file is empty");
    addRun("--spec ''", "--spec: the name of the file is empty");
    add("run --epochs 3 --csv ''", "--csv: the name of the file is empty");
}

void TestBadUsage::otherCommands_data()
{
    columns();
    add("data --samples 7 --out d.csv", "10");
    add("data --samples 1.5 --out d.csv", "\"1.5\" is not a whole number");
    add("data --length 0 --out d.csv", "length");
    add("data --seed -1 --out d.csv", "--seed: -1 is out of range");
    add("data --scale nan --out d.csv", "\"nan\" is not a number");
    add("data --padding 36 --out d.csv", "allowed are two whole numbers");
    add("data --out d.txt", "allowed are files that end in .csv, .npz");
    add("data --out missing/d.csv", "--out: ");
    add("data --out ''", "--out: the name of the file is empty");
    add("data --out d.csv --out ./d.csv", "already written by --out");
    add("data --data plain.txt --seed 3 --out d.csv", "leave out the options of the recipe");
    add("data --data plain.txt --out d.csv", "plain.txt");
    add("bench --threads 0", "--threads: 0 is out of range");
    add("bench --batch-size 0", "--batch-size: 0 is out of range");
    add("bench --batch-size half", "full, or a whole number from 1");
    add("bench --seconds 0", "--seconds: 0 is out of range");
    add("bench --widths 100000000", "40-100000000-10: The run needs about");
    add("bench --engine gpu", "gpu cannot be used");
    add("devices now", "now");
}

void TestBadUsage::helpIsNoError()
{
    const QTemporaryDir folder;
    for (const char* command :
         {"--help", "--version", "run --help", "data --help", "devices --help", "bench --help"}) {
        const Finished finished =
            runProgram(QString::fromLatin1(command).split(QLatin1Char(' ')), folder.path());
        QCOMPARE(finished.exitStatus, 0);
        QCOMPARE(finished.errors, QByteArray());
        QVERIFY2(finished.output.contains("fullbatch"), command);
    }
}

QTEST_GUILESS_MAIN(TestBadUsage)
#include "tst_bad_usage.moc"
