// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/program.h"

#include <QFile>
#include <QProcess>

namespace fullbatch {

QString programPath()
{
    return QStringLiteral(FULLBATCH_BINARY_DIR "/bin/fullbatch");
}

QProcessEnvironment withoutDisplay()
{
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"})
        environment.remove(QString::fromLatin1(name));
    return environment;
}

Finished runProgram(const QStringList& arguments, const QString& folder,
                    const QProcessEnvironment& environment)
{
    QProcess process;
    process.setWorkingDirectory(folder);
    process.setProcessEnvironment(environment);
    process.setStandardInputFile(QProcess::nullDevice());
    process.start(programPath(), arguments);
    constexpr int longestMs = 60'000;
    Finished finished;
    if (process.waitForFinished(longestMs) && process.exitStatus() == QProcess::NormalExit)
        finished.exitStatus = process.exitCode();
    finished.output = process.readAllStandardOutput();
    finished.errors = process.readAllStandardError();
    return finished;
}

QByteArray fileBytes(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace fullbatch
