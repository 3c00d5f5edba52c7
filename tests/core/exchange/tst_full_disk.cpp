// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/output_file.h"
#include "tests/shared_data.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <cstdio>
#include <sys/mount.h>

using namespace fullbatch;

namespace {

/// A real file system of 256 KiB. Mounting takes rights that not everyone has.
class SmallDisk
{
public:
    SmallDisk()
    {
        m_mounted = m_folder.isValid()
            && mount("tmpfs", qPrintable(m_folder.path()), "tmpfs", 0, "size=256k") == 0;
    }
    ~SmallDisk()
    {
        if (m_mounted)
            umount(qPrintable(m_folder.path()));
    }
    SmallDisk(const SmallDisk&) = delete;
    SmallDisk& operator=(const SmallDisk&) = delete;

    [[nodiscard]] bool mounted() const { return m_mounted; }
    [[nodiscard]] QString file(const QString& name) const { return m_folder.filePath(name); }
    [[nodiscard]] QStringList files() const
    {
        return QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden, QDir::Name);
    }

private:
    QTemporaryDir m_folder;
    bool m_mounted = false;
};

QString complaint(const QString& name, std::size_t bytes)
{
    try {
        writeWhole(name.toStdString(), [&](std::ostream& out) { out << std::string(bytes, 'x'); });
    } catch (const OutputError& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

class TestFullDisk : public QObject
{
    Q_OBJECT

    const SmallDisk& m_disk;

public:
    explicit TestFullDisk(const SmallDisk& disk) : m_disk(disk) { }

private slots:
    void theOldFileSurvives()
    {
        const QString name = m_disk.file("curve.csv");
        QCOMPARE(complaint(name, 1000), QString());
        QCOMPARE(complaint(name, 1'000'000), "Cannot write " + name + ": No space left on device.");
        QCOMPARE(QFileInfo(name).size(), 1000);
        QCOMPARE(m_disk.files(), QStringList{"curve.csv"});

        QCOMPARE(complaint(m_disk.file("filler"), 258'048), QString());
        try {
            checkWritable(m_disk.file("later.csv").toStdString());
            QFAIL("a full disk passed for writable");
        } catch (const OutputError& error) {
            QVERIFY(QString(error.what()).endsWith("No space left on device."));
        }
        QCOMPARE(m_disk.files(), (QStringList{"curve.csv", "filler"}));
    }
};

int main(int argc, char** argv)
{
    const SmallDisk disk;
    if (!disk.mounted()) {
        std::puts("Skipped: a small file system cannot be mounted here.");
        return testSkipped;
    }
    TestFullDisk test(disk);
    return QTest::qExec(&test, argc, argv);
}
#include "tst_full_disk.moc"
