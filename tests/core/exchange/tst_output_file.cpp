// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/output_file.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <csignal>
#include <sys/resource.h>
#include <sys/stat.h>

using namespace fullbatch;

namespace {

std::filesystem::path pathOf(const QString& name)
{
    return name.toStdString();
}

QByteArray contentsOf(const QString& name)
{
    QFile file(name);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray("(not there)");
}

QStringList filesIn(const QString& folder)
{
    return QDir(folder).entryList(QDir::Files | QDir::Hidden | QDir::System, QDir::Name);
}

QString complaintOf(const std::function<void()>& action)
{
    try {
        action();
    } catch (const OutputError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

QString complaint(const QString& name, const std::string& text = "new")
{
    return complaintOf([&] { writeWhole(pathOf(name), [&](std::ostream& out) { out << text; }); });
}

QString writableComplaint(const QString& name)
{
    return complaintOf([&] { checkWritable(pathOf(name)); });
}

/// Files of this process cannot grow beyond this, as if the disk ended there.
class SizeLimit
{
public:
    explicit SizeLimit(rlim_t bytes)
    {
        std::signal(SIGXFSZ, SIG_IGN);
        getrlimit(RLIMIT_FSIZE, &m_before);
        const rlimit limit = {bytes, m_before.rlim_max};
        setrlimit(RLIMIT_FSIZE, &limit);
    }
    ~SizeLimit() { setrlimit(RLIMIT_FSIZE, &m_before); }
    SizeLimit(const SizeLimit&) = delete;
    SizeLimit& operator=(const SizeLimit&) = delete;

private:
    rlimit m_before = {};
};

} // namespace

class TestOutputFile : public QObject
{
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;

    QString inFolder(const QString& name) const { return m_folder->path() + "/" + name; }

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
    }

    void writesANewFileWithNormalPermissions()
    {
        const mode_t before = umask(027);
        const QString complaintText = complaint(inFolder("new.csv"));
        umask(before);
        QCOMPARE(complaintText, QString());
        QCOMPARE(contentsOf(inFolder("new.csv")), QByteArray("new"));
        struct stat status = {};
        QCOMPARE(stat(qPrintable(inFolder("new.csv")), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0640U);
        QCOMPARE(filesIn(m_folder->path()), QStringList{"new.csv"});
    }

    void replacesAFileAndKeepsItsPermissions()
    {
        const QString name = inFolder("old.csv");
        QCOMPARE(complaint(name, "old and long"), QString());
        QCOMPARE(chmod(qPrintable(name), 0600), 0);
        QCOMPARE(complaint(name), QString());
        QCOMPARE(contentsOf(name), QByteArray("new"));
        struct stat status = {};
        QCOMPARE(stat(qPrintable(name), &status), 0);
        QCOMPARE(status.st_mode & 0777U, 0600U);
    }

    void writesThroughASymbolicLink()
    {
        QVERIFY(QDir(m_folder->path()).mkdir("there"));
        QCOMPARE(complaint(inFolder("there/real.csv"), "old"), QString());
        QVERIFY(QFile::link("there/real.csv", inFolder("link.csv")));
        QCOMPARE(complaint(inFolder("link.csv")), QString());
        QCOMPARE(contentsOf(inFolder("there/real.csv")), QByteArray("new"));
        QVERIFY(QFileInfo(inFolder("link.csv")).isSymLink());
    }

    void writesWherePathsAreNotAscii()
    {
        const QString folder = QString::fromUtf8("实验 数据 é🙂/a%20b#1");
        QVERIFY(QDir(m_folder->path()).mkpath(folder));
        const QString name = inFolder(folder + QString::fromUtf8("/曲线.csv"));
        QCOMPARE(complaint(name), QString());
        QCOMPARE(contentsOf(name), QByteArray("new"));
    }

    void aThrowingWriterLeavesTheOldFile()
    {
        const QString name = inFolder("old.csv");
        QCOMPARE(complaint(name, "old"), QString());
        const auto write = [](std::ostream& out) {
            out << std::string(1'000'000, 'x');
            throw std::out_of_range("stopped");
        };
        QVERIFY_EXCEPTION_THROWN(writeWhole(pathOf(name), write), std::out_of_range);
        QCOMPARE(contentsOf(name), QByteArray("old"));
        QCOMPARE(filesIn(m_folder->path()), QStringList{"old.csv"});
    }

    void aDiskThatEndsLeavesTheOldFile()
    {
        const QString name = inFolder("old.csv");
        QCOMPARE(complaint(name, "old"), QString());
        const SizeLimit limit(100'000);
        const QString text = complaint(name, std::string(1'000'000, 'x'));
        QCOMPARE(text, "Cannot write " + name + ": File too large.");
        QCOMPARE(contentsOf(name), QByteArray("old"));
        QCOMPARE(filesIn(m_folder->path()), QStringList{"old.csv"});
        QCOMPARE(complaint(name, std::string(1000, 'x')), QString());
    }

    void aFullDeviceSaysSo()
    {
        const QString text = complaint("/dev/full");
        QCOMPARE(text, QString("Cannot write /dev/full: No space left on device."));
        QCOMPARE(complaint("/dev/null"), QString());
    }

    void namesWhatIsInTheWay()
    {
        const QString missing = inFolder("missing/out.csv");
        QCOMPARE(complaint(missing),
                 "Cannot write " + missing + ": the folder " + inFolder("missing")
                     + " does not exist.");
        QCOMPARE(writableComplaint(missing), complaint(missing));
        QCOMPARE(complaint(m_folder->path()),
                 "Cannot write " + m_folder->path() + ": Is a directory.");
        QCOMPARE(writableComplaint(m_folder->path() + "/"),
                 "Cannot write " + m_folder->path() + "/: Is a directory.");
        QVERIFY(complaint("").contains("without a name"));
        QCOMPARE(complaint(inFolder("file"), "old"), QString());
        const QString below = inFolder("file/out.csv");
        QVERIFY(complaint(below).startsWith("Cannot write " + below + ": Not a directory"));
        const QString tooLong = inFolder(QString(300, 'n'));
        QCOMPARE(complaint(tooLong), "Cannot write " + tooLong + ": File name too long.");
        QCOMPARE(filesIn(m_folder->path()), QStringList{"file"});
    }

    void respectsReadOnlyEvenForRoot()
    {
        const QString name = inFolder("fixed.csv");
        QCOMPARE(complaint(name, "old"), QString());
        QCOMPARE(chmod(qPrintable(name), 0444), 0);
        QCOMPARE(complaint(name), "Cannot write " + name + ": the file is read-only.");
        QCOMPARE(writableComplaint(name), complaint(name));
        QCOMPARE(contentsOf(name), QByteArray("old"));

        QVERIFY(QDir(m_folder->path()).mkdir("closed"));
        QCOMPARE(chmod(qPrintable(inFolder("closed")), 0555), 0);
        const QString within = inFolder("closed/out.csv");
        QCOMPARE(complaint(within),
                 "Cannot write " + within + ": the folder " + inFolder("closed")
                     + " is read-only.");
        QCOMPARE(writableComplaint(within), complaint(within));
        QVERIFY(filesIn(inFolder("closed")).isEmpty());
    }

    // open() would wait for a reader for ever.
    void aPipeThatNobodyReadsIsRefused()
    {
        const QString pipe = inFolder("pipe");
        QCOMPARE(mkfifo(pathOf(pipe).c_str(), 0600), 0);
        QVERIFY2(complaint(pipe).contains("nobody reads"), qPrintable(complaint(pipe)));
    }

    void askingLeavesNothingBehind()
    {
        QCOMPARE(writableComplaint(inFolder("later.csv")), QString());
        QVERIFY(filesIn(m_folder->path()).isEmpty());
        QCOMPARE(complaint(inFolder("now.csv"), "old"), QString());
        QCOMPARE(writableComplaint(inFolder("now.csv")), QString());
        QCOMPARE(contentsOf(inFolder("now.csv")), QByteArray("old"));
        const SizeLimit limit(1000);
        QCOMPARE(writableComplaint(inFolder("later.csv")),
                 "Cannot write " + inFolder("later.csv") + ": File too large.");
        QCOMPARE(filesIn(m_folder->path()), QStringList{"now.csv"});
    }
};

QTEST_APPLESS_MAIN(TestOutputFile)
#include "tst_output_file.moc"
