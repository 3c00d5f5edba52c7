// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/devices/gpu_probe.h"
#include "tests/app/program.h"

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

#include <sys/wait.h>

using namespace fullbatch;
using namespace std::chrono_literals;

namespace {

constexpr int patience = 20'000; // milliseconds, for a machine with other things to do

QProcessEnvironment withPlugin(const QString& file, const QString& behaviour = {})
{
    QProcessEnvironment environment = withoutDisplay();
    environment.insert(QStringLiteral("FULLBATCH_GPU_PLUGIN"), file);
    environment.insert(QStringLiteral("FAKE_GPU"), behaviour);
    environment.remove(QStringLiteral("CUDA_DEVICE_ORDER"));
    return environment;
}

QString fakePlugin()
{
    return QStringLiteral(FAKE_GPU_PLUGIN);
}

QJsonArray devices(const QProcessEnvironment& environment)
{
    const Finished finished = runProgram({QStringLiteral("devices"), QStringLiteral("--json")},
                                         QStringLiteral("."), environment);
    if (finished.exitStatus != 0 || !finished.errors.isEmpty())
        return {};
    return QJsonDocument::fromJson(finished.output).object()[QLatin1String("devices")].toArray();
}

/// As the fake plug-in writes it: of the process that asked it for a report; 0: of none yet.
pid_t pidIn(const QString& file)
{
    return static_cast<pid_t>(fileBytes(file).trimmed().toInt());
}

} // namespace

/// Looking for graphics cards, with plug-ins that behave in every bad way.
class TestGpuProbe : public QObject
{
    Q_OBJECT

private slots:
    void failingStepsAreNamed_data();
    void failingStepsAreNamed();
    void otherEnginesStayUsable();
    void everyDeviceIsALine();
    void cardsAreNumberedAsTheSystemDoes();
    void aHangIsEndedAtTheTimeLimit();
    void theProbeEndsWithItsProgram();
    void unreadableReportsAreRefused_data();
    void unreadableReportsAreRefused();
    void withoutADriverTheReasonComesWithinASecond();
    void theCpuTrainsWithoutAnyProbe();
};

void TestGpuProbe::failingStepsAreNamed_data()
{
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("behaviour");
    QTest::addColumn<QString>("unusable");
    QTest::addColumn<QString>("remedy");
    const auto row = [](const char* file, const char* behaviour, const char* unusable,
                        const char* remedy) {
        QTest::newRow(unusable) << QString::fromUtf8(file) << QString::fromUtf8(behaviour)
                                << QString::fromUtf8(unusable) << QString::fromUtf8(remedy);
    };
    row("missing.so", "", "missing.so that FULLBATCH_GPU_PLUGIN names is not there", "name");
    row(GPU_PLUGIN_WITHOUT_LIBRARY, "", "library libcublasLt.so.99", "libcublas-13-0");
    row(GPU_PLUGIN_WITHOUT_ENTRY, "", "is no GPU plug-in", "FULLBATCH_GPU_PLUGIN");
    row(FULLBATCH_SOURCE_DIR "/README.md", "", "cannot be loaded: invalid", "FULLBATCH_GPU_PLUGIN");
    row(FULLBATCH_SOURCE_DIR "/tests", "", "is not a file", "FULLBATCH_GPU_PLUGIN");
    row(FAKE_GPU_PLUGIN, "other build", "belongs to another build", "together");
    row(FAKE_GPU_PLUGIN, "crash", "crashed (SIGSEGV, Segmentation fault)", "Restart");
    row(FAKE_GPU_PLUGIN, "exit", "exit status 3", "driver");
    row(FAKE_GPU_PLUGIN, "error 35", "knows CUDA 12.4, and 13.0 is needed", "580");
}

void TestGpuProbe::failingStepsAreNamed()
{
    QFETCH(const QString, file);
    QFETCH(const QString, behaviour);
    QFETCH(const QString, unusable);
    QFETCH(const QString, remedy);
    const QJsonArray lines = devices(withPlugin(file, behaviour));
    QCOMPARE(lines.size(), 3);
    const QJsonObject gpu = lines[1].toObject();
    QCOMPARE(gpu[QLatin1String("id")].toString(), QStringLiteral("gpu"));
    QCOMPARE(gpu[QLatin1String("usable")].toBool(), false);
    const QString reason = gpu[QLatin1String("unusable")].toString();
    QVERIFY2(reason.contains(unusable), qPrintable(reason));
    QVERIFY2(reason.endsWith(QLatin1Char('.')), qPrintable(reason));
    QVERIFY2(gpu[QLatin1String("remedy")].toString().contains(remedy),
             qPrintable(gpu[QLatin1String("remedy")].toString()));
    // The same words where somebody wants to train on it.
    const Finished refused =
        runProgram({QStringLiteral("run"), QStringLiteral("--engine"), QStringLiteral("gpu")},
                   QStringLiteral("."), withPlugin(file, behaviour));
    QCOMPARE(refused.exitStatus, 2);
    QVERIFY2(refused.errors.contains(reason.toUtf8()), refused.errors.constData());
}

void TestGpuProbe::otherEnginesStayUsable()
{
    for (const char* const behaviour : {"crash", "error 35"}) {
        QProcessEnvironment environment = withPlugin(fakePlugin(), QString::fromLatin1(behaviour));
        environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), QStringLiteral("-1"));
        for (const char* const command :
             {"run --widths 3 --epochs 2", "bench --widths 3 --seconds 0.01"}) {
            const Finished finished =
                runProgram(QString::fromLatin1(command).split(QLatin1Char(' ')),
                           QStringLiteral("."), environment);
            QVERIFY2(finished.exitStatus == 0, finished.errors.constData());
        }
    }
}

void TestGpuProbe::everyDeviceIsALine()
{
    for (const char* const behaviour : {"one old", "noise"}) {
        const QJsonArray lines = devices(withPlugin(fakePlugin(), QString::fromLatin1(behaviour)));
        QCOMPARE(lines.size(), 4);
        const QJsonObject first = lines[1].toObject();
        const QJsonObject second = lines[2].toObject();
        QCOMPARE(first[QLatin1String("id")].toString(), QStringLiteral("gpu"));
        QCOMPARE(second[QLatin1String("id")].toString(), QStringLiteral("gpu:1"));
        const bool isOld = behaviour == std::string_view("one old");
        QCOMPARE(first[QLatin1String("usable")].toBool(), !isOld);
        QCOMPARE(first[QLatin1String("unusable")].toString().contains(QStringLiteral("6.1")),
                 isOld);
        QVERIFY(second[QLatin1String("usable")].toBool());
        const QJsonObject facts = second[QLatin1String("gpu")].toObject();
        QCOMPARE(facts[QLatin1String("pci_bus_id")].toString(), QStringLiteral("0000:02:00.0"));
        QCOMPARE(facts[QLatin1String("compute_capability")].toString(), QStringLiteral("9.0"));
        QCOMPARE(facts[QLatin1String("multiprocessors")].toInt(), 132);
        QCOMPARE(facts[QLatin1String("memory_total_bytes")].toDouble(), 150e9);
        QVERIFY(facts[QLatin1String("uuid")].toString().startsWith(QStringLiteral("GPU-")));
    }
    const Finished text =
        runProgram({QStringLiteral("devices")}, QStringLiteral("."), withPlugin(fakePlugin()));
    for (const char* const fact :
         {"gpu:1 ", "compute capability 9.0", "132 multiprocessors", "138.8 of 139.7 GiB free",
          "0000:02:00.0", "driver for CUDA 13.1", "CUDA runtime 13.0", "cuBLASLt 13.1.0"})
        QVERIFY2(text.output.contains(fact), fact);
}

void TestGpuProbe::cardsAreNumberedAsTheSystemDoes()
{
    const auto name = [](const QProcessEnvironment& environment) {
        return devices(environment)[1]
            .toObject()[QLatin1String("gpu")][QLatin1String("name")]
            .toString();
    };
    QProcessEnvironment environment = withPlugin(fakePlugin());
    QCOMPARE(name(environment), QStringLiteral("Fake PCI_BUS_ID"));
    environment.insert(QStringLiteral("CUDA_DEVICE_ORDER"), QStringLiteral("FASTEST_FIRST"));
    QCOMPARE(name(environment), QStringLiteral("Fake FASTEST_FIRST"));
}

void TestGpuProbe::aHangIsEndedAtTheTimeLimit()
{
    const QTemporaryDir folder;
    const QString pidFile = folder.filePath(QStringLiteral("pid"));
    qputenv("FULLBATCH_GPU_PLUGIN", FAKE_GPU_PLUGIN);
    qputenv("FAKE_GPU", "hang");
    qputenv("FAKE_GPU_PID_FILE", pidFile.toUtf8());
    QElapsedTimer clock;
    clock.start();
    const GpuReport report = probeGpus(programPath().toStdString(), 1500ms);
    QVERIFY(clock.elapsed() >= 1500);
    QVERIFY2(clock.elapsed() < 1500 + patience, "waited for the child");
    QVERIFY2(report.unusable.find("longer than 1.5 s") != std::string::npos,
             report.unusable.c_str());
    QVERIFY(!report.remedy.empty());
    QVERIFY(pidIn(pidFile) > 0);
    QCOMPARE(kill(pidIn(pidFile), 0), -1); // it is gone, and waited for
    QCOMPARE(waitpid(-1, nullptr, WNOHANG), -1);
    for (const char* const name : {"FULLBATCH_GPU_PLUGIN", "FAKE_GPU", "FAKE_GPU_PID_FILE"})
        qunsetenv(name);
}

void TestGpuProbe::theProbeEndsWithItsProgram()
{
    const QTemporaryDir folder;
    const QString pidFile = folder.filePath(QStringLiteral("pid"));
    QProcessEnvironment environment = withPlugin(fakePlugin(), QStringLiteral("hang"));
    environment.insert(QStringLiteral("FAKE_GPU_PID_FILE"), pidFile);
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(programPath(), {QStringLiteral("devices")});
    QVERIFY(program.waitForStarted());
    QTRY_VERIFY_WITH_TIMEOUT(pidIn(pidFile) > 0, patience);
    kill(pidIn(pidFile), SIGINT); // Ctrl-C, whose first one `run` only notes
    QVERIFY(!program.waitForFinished(300));
    QCOMPARE(kill(pidIn(pidFile), 0), 0);
    program.kill();
    QVERIFY(program.waitForFinished());
    QTRY_COMPARE_WITH_TIMEOUT(kill(pidIn(pidFile), 0), -1, patience);
}

void TestGpuProbe::unreadableReportsAreRefused_data()
{
    QTest::addColumn<QByteArray>("output");
    const std::string good = [] {
        ChildEnd end = runChild(programPath().toStdString(), {gpuReportCommandName}, 10s);
        return end.output;
    }();
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("no JSON") << QByteArray("NVRM: Xid\n");
    QTest::newRow("another object") << QByteArray("{\"driver says\": \"hello\"}");
    QTest::newRow("an array") << QByteArray("[]");
    QTest::newRow("cut off") << QByteArray::fromStdString(good.substr(0, good.size() / 2));
    QTest::newRow("noise before") << QByteArray("hello\n") + QByteArray::fromStdString(good);
    QByteArray wrongType = QByteArray::fromStdString(good);
    QVERIFY(wrongType.contains("\"runtime_version\":"));
    wrongType.replace("\"runtime_version\":", "\"runtime_version\":\"new\",\"other\":");
    QTest::newRow("wrong type") << wrongType;
}

void TestGpuProbe::unreadableReportsAreRefused()
{
    QFETCH(const QByteArray, output);
    ChildEnd child;
    child.exitStatus = 0;
    child.output = output.toStdString();
    const GpuReport report = reportOf(child, 1s);
    QVERIFY2(report.unusable.find("without a report that can be read") != std::string::npos,
             report.unusable.c_str());
    QVERIFY(report.devices.empty());
}

void TestGpuProbe::withoutADriverTheReasonComesWithinASecond()
{
    QProcessEnvironment environment = withoutDisplay();
    environment.remove(QStringLiteral("FULLBATCH_GPU_PLUGIN"));
    environment.insert(QStringLiteral("CUDA_VISIBLE_DEVICES"), QStringLiteral("-1"));
    qint64 shortest = patience;
    for (int attempt = 0; attempt < 3; ++attempt) {
        QElapsedTimer clock;
        clock.start();
        const QJsonArray lines = devices(environment);
        shortest = std::min(shortest, clock.elapsed());
        QCOMPARE(lines.size(), 3);
        QCOMPARE(lines[1][QLatin1String("usable")].toBool(), false);
        QVERIFY(!lines[1][QLatin1String("remedy")].toString().isEmpty());
    }
    QVERIFY2(shortest < 1000, qPrintable(QString::number(shortest)));
}

void TestGpuProbe::theCpuTrainsWithoutAnyProbe()
{
    const QTemporaryDir folder;
    QProcessEnvironment environment = withPlugin(fakePlugin());
    const QString pidFile = folder.filePath(QStringLiteral("pid"));
    environment.insert(QStringLiteral("FAKE_GPU_PID_FILE"), pidFile);
    const auto probedBy = [&](const char* command) {
        QFile::remove(pidFile);
        const Finished finished = runProgram(QString::fromLatin1(command).split(QLatin1Char(' ')),
                                             folder.path(), environment);
        if (finished.exitStatus != 0)
            qWarning("%s", finished.errors.constData());
        return QFile::exists(pidFile);
    };
    QVERIFY(!probedBy("run --widths 3 --epochs 2"));
    QVERIFY(!probedBy("run --widths 3 --epochs 2 --engine reference"));
    QVERIFY(!probedBy("bench --engine cpu --widths 3 --seconds 0.01"));
    QVERIFY(!probedBy("data"));
    QVERIFY(probedBy("run --widths 3 --epochs 2 --engine gpu:1"));
    QVERIFY(probedBy("devices"));
}

QTEST_GUILESS_MAIN(TestGpuProbe)
#include "tst_gpu_probe.moc"
