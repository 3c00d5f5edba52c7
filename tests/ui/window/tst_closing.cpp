// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFile>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

namespace fullbatch {

/// Closing the window in any state ends the process with exit status 0 and without complaint.
class TestClosing : public QObject
{
    Q_OBJECT

private slots:
    void endsCleanly_data();
    void endsCleanly();
};

namespace {

constexpr int longest = 5000; // milliseconds from the request to close; a promise to people

} // namespace

void TestClosing::endsCleanly_data()
{
    QTest::addColumn<QString>("state");
    for (const char* const state :
         {"idle", "preparing", "running", "paused", "stopping", "done", "exporting"})
        QTest::newRow(state) << QString::fromLatin1(state);
}

void TestClosing::endsCleanly()
{
    QFETCH(QString, state);
    const QTemporaryDir folder;
    const QString exported = folder.filePath(QStringLiteral("curve.csv"));
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("EXPORT_FILE"), exported);
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(CLOSING_WINDOW), {state});
    QVERIFY(process.waitForStarted());
    // The state itself takes its time; hence twice the promise on a machine with other things to
    // do.
    QVERIFY2(process.waitForFinished(2 * longest + 10'000), "still running");
    const QString complaints = QString::fromLocal8Bit(process.readAllStandardError());
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QVERIFY2(process.exitCode() == 0, qPrintable(complaints));
    QVERIFY2(!complaints.contains(QStringLiteral("hread")), qPrintable(complaints));
    QVERIFY2(!complaints.contains(QStringLiteral("terminate")), qPrintable(complaints));
    if (state == QLatin1String("exporting")) {
        QFile file(exported); // what was being written is there whole
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(file.readAll(), QByteArray("whole"));
    }
}

} // namespace fullbatch

QTEST_GUILESS_MAIN(fullbatch::TestClosing)
#include "tst_closing.moc"
