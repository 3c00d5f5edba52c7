// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"

#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>

using namespace fullbatch;

namespace {

constexpr int patience = 20'000; // milliseconds, for a machine with other things to do
constexpr int longestClosing = 5000; // a promise to people

/// `fullbatch` with its window, offscreen, and settings of its own. Its plug-in hangs.
class WindowProgram
{
public:
    explicit WindowProgram(const QString& folder)
    {
        QProcessEnvironment environment = withoutDisplay();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("XDG_CONFIG_HOME"), folder);
        environment.insert(QStringLiteral("FULLBATCH_GPU_PLUGIN"), QStringLiteral(FAKE_GPU_PLUGIN));
        environment.insert(QStringLiteral("FAKE_GPU"), QStringLiteral("hang"));
        environment.insert(QStringLiteral("FAKE_GPU_PID_FILE"), m_pidFile);
        m_process.setProcessEnvironment(environment);
        m_process.start(programPath(), QStringList());
    }
    ~WindowProgram()
    {
        m_process.kill();
        m_process.waitForFinished();
    }
    WindowProgram(const WindowProgram&) = delete;
    WindowProgram& operator=(const WindowProgram&) = delete;

    /// The process that looks for graphics cards; 0: not yet.
    [[nodiscard]] pid_t probe() const
    {
        return static_cast<pid_t>(fileBytes(m_pidFile).trimmed().toInt());
    }
    QProcess& process() { return m_process; }

private:
    QTemporaryDir m_folder;
    QString m_pidFile = m_folder.filePath(QStringLiteral("pid"));
    QProcess m_process;
};

} // namespace

/// The program with its window, from outside.
class TestWindow : public QObject
{
    Q_OBJECT

private slots:
    void signalsCloseItOrderly_data();
    void signalsCloseItOrderly();
};

void TestWindow::signalsCloseItOrderly_data()
{
    QTest::addColumn<int>("signalNumber");
    QTest::newRow("Ctrl-C") << SIGINT;
    QTest::newRow("SIGTERM") << SIGTERM;
    QTest::newRow("terminal closed") << SIGHUP;
}

// The probe hangs all the while: neither opening nor closing waits for it.
void TestWindow::signalsCloseItOrderly()
{
    QFETCH(const int, signalNumber);
    const QTemporaryDir folder;
    WindowProgram program(folder.path());
    QTRY_VERIFY_WITH_TIMEOUT(program.probe() > 0, patience);
    QTest::qWait(300); // the event loop runs by then
    QElapsedTimer clock;
    clock.start();
    ::kill(static_cast<pid_t>(program.process().processId()), signalNumber);
    QVERIFY(program.process().waitForFinished(patience));
    QCOMPARE(program.process().exitStatus(), QProcess::NormalExit);
    QCOMPARE(program.process().exitCode(), 0);
    QVERIFY2(clock.elapsed() < longestClosing, qPrintable(QString::number(clock.elapsed())));
    const QByteArray complaints = program.process().readAllStandardError();
    QVERIFY2(!complaints.contains("hread") && !complaints.contains("terminate"),
             complaints.constData());
    QVERIFY(QFile::exists(folder.filePath(QStringLiteral("Fullbatch/Fullbatch.conf"))));
    QTRY_COMPARE_WITH_TIMEOUT(::kill(program.probe(), 0), -1, patience);
}

QTEST_GUILESS_MAIN(TestWindow)
#include "tst_window.moc"
