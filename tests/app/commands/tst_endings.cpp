// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"

#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <csignal>

using namespace fullbatch;

namespace {

QStringList words(const char* text)
{
    return QString::fromUtf8(text).split(QLatin1Char(' '));
}

QList<QByteArray> linesOf(const QString& file)
{
    QList<QByteArray> lines = fileBytes(file).split('\n');
    lines.removeLast(); // after the last line end
    return lines;
}

/// A run that would take days, in a process of its own.
class LongRun
{
public:
    explicit LongRun(const QString& folder)
    {
        m_process.setWorkingDirectory(folder);
        m_process.setProcessEnvironment(withoutDisplay());
        m_process.start(programPath(),
                        words("run --depth 4 --width 63 --epochs 100000000 --csv "
                              "out.csv --weights w.safetensors --plot out.svg"));
    }
    ~LongRun()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    LongRun(const LongRun&) = delete;
    LongRun& operator=(const LongRun&) = delete;

    /// Until the first epochs are reported.
    bool waitUntilTraining()
    {
        m_process.waitForStarted();
        m_process.setReadChannel(QProcess::StandardError);
        while (!m_process.readAllStandardError().contains("epoch ")) {
            if (!m_process.waitForReadyRead(30'000))
                return false;
        }
        return true;
    }
    void send(int signalNumber) const
    {
        ::kill(static_cast<pid_t>(m_process.processId()), signalNumber);
    }
    QProcess& process() { return m_process; }

private:
    QProcess m_process;
};

} // namespace

/// How runs end other than by being done, and what they leave behind.
class TestEndings : public QObject
{
    Q_OBJECT

private slots:
    void interruptedWritesWhatThereIs_data();
    void interruptedWritesWhatThereIs();
    void divergedKeepsItsCurve_data();
    void divergedKeepsItsCurve();
    void fullDiskLeavesNoHalfFile();
    void closedPipeIsAnError();
    void noDisplayIsOneSentence();
};

void TestEndings::interruptedWritesWhatThereIs_data()
{
    QTest::addColumn<int>("signalNumber");
    QTest::newRow("Ctrl-C") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("terminal closed") << SIGHUP;
}

void TestEndings::interruptedWritesWhatThereIs()
{
    QFETCH(const int, signalNumber);
    const QTemporaryDir folder;
    LongRun run(folder.path());
    QVERIFY(run.waitUntilTraining());
    run.send(signalNumber);
    QVERIFY(run.process().waitForFinished(20'000));
    QCOMPARE(run.process().exitStatus(), QProcess::NormalExit);
    QCOMPARE(run.process().exitCode(), 130);
    QVERIFY(run.process().readAllStandardOutput().contains("stopped after"));

    const QList<QByteArray> lines = linesOf(folder.filePath(QStringLiteral("out.csv")));
    QVERIFY(lines.size() > 1);
    for (int epoch = 0; epoch + 1 < lines.size(); ++epoch)
        QCOMPARE(lines[epoch + 1].split(',').first().toInt(), epoch);
    QVERIFY(fileBytes(folder.filePath(QStringLiteral("w.safetensors"))).size() > 4 * 15'319);
    QVERIFY(fileBytes(folder.filePath(QStringLiteral("out.svg"))).contains("</svg>"));
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden).size(), 3);
}

void TestEndings::divergedKeepsItsCurve_data()
{
    QTest::addColumn<QString>("engine");
    QTest::newRow("cpu") << "cpu";
    QTest::newRow("reference") << "reference";
}

void TestEndings::divergedKeepsItsCurve()
{
    QFETCH(const QString, engine);
    const QTemporaryDir folder;
    const Finished finished = runProgram(
        words("run --depth 2 --width 100 --learning-rate 1e12 --epochs 500 --csv out.csv --weights "
              "w.safetensors --plot out.svg --json --engine")
            + QStringList{engine},
        folder.path());
    QCOMPARE(finished.exitStatus, 1);
    const QJsonObject json = QJsonDocument::fromJson(finished.output).object();
    QCOMPARE(json[QLatin1String("status")].toString(), QStringLiteral("diverged"));
    QVERIFY(json[QLatin1String("train_loss")].isNull());
    QVERIFY(json[QLatin1String("train_error_percent")].isNull());

    const QList<QByteArray> lines = linesOf(folder.filePath(QStringLiteral("out.csv")));
    QVERIFY(lines.size() >= 3 && lines.size() < 500);
    const auto lastEpoch = lines.size() - 2;
    QVERIFY(finished.errors.contains("diverged at epoch " + QByteArray::number(lastEpoch)));
    for (qsizetype line = 1; line < lines.size(); ++line) {
        bool isNumber = false;
        const double loss = lines[line].split(',')[2].toDouble(&isNumber);
        QCOMPARE(isNumber && std::isfinite(loss), line < lines.size() - 1);
    }
    QCOMPARE(lines.last().split(',')[1], QByteArray("nan")); // no false 90 %
    QVERIFY(!fileBytes(folder.filePath(QStringLiteral("out.svg"))).contains("nan"));
    QVERIFY(fileBytes(folder.filePath(QStringLiteral("w.safetensors"))).size() > 4 * 15'210);
}

void TestEndings::fullDiskLeavesNoHalfFile()
{
    // A limit on the size of files stands in for a full disk: any user can set it.
    const QTemporaryDir folder;
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.setProcessEnvironment(withoutDisplay());
    const QString command =
        QStringLiteral("trap '' XFSZ; ulimit -f 8; exec '%1' run --widths 500 --epochs 3 --csv "
                       "out.csv --weights w.safetensors --quiet")
            .arg(programPath());
    process.start(QStringLiteral("/bin/bash"), {QStringLiteral("-c"), command});
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 1);
    const QByteArray errors = process.readAllStandardError();
    QVERIFY2(errors.contains("w.safetensors"), errors.constData());
    QCOMPARE(errors.count('\n'), 1);
    // The curve fits and is there; of the weights nothing is.
    QCOMPARE(QDir(folder.path()).entryList(QDir::Files | QDir::Hidden),
             QStringList{QStringLiteral("out.csv")});
}

void TestEndings::closedPipeIsAnError()
{
    const QTemporaryDir folder;
    QProcess process;
    process.setWorkingDirectory(folder.path());
    process.setStandardOutputFile(QStringLiteral("/dev/full"));
    process.start(programPath(), words("run --widths 3 --epochs 2 --quiet --csv out.csv"));
    QVERIFY(process.waitForFinished(60'000));
    QCOMPARE(process.exitCode(), 1);
    QVERIFY(process.readAllStandardError().contains("standard output"));
    QCOMPARE(linesOf(folder.filePath(QStringLiteral("out.csv"))).size(), 3);
}

void TestEndings::noDisplayIsOneSentence()
{
    const QTemporaryDir folder;
    const Finished finished = runProgram({}, folder.path());
    QCOMPARE(finished.exitStatus, 2);
    QVERIFY(finished.errors.contains("no display"));
    QCOMPARE(finished.errors.count('\n'), 1);

    QProcessEnvironment wrong = withoutDisplay();
    wrong.insert(QStringLiteral("DISPLAY"), QStringLiteral(":4711"));
    const Finished unreachable = runProgram({}, folder.path(), wrong);
    QVERIFY(unreachable.exitStatus > 0); // -1: it crashed
    QVERIFY2(unreachable.errors.contains("display"), unreachable.errors.constData());
}

QTEST_GUILESS_MAIN(TestEndings)
#include "tst_endings.moc"
