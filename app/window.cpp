// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window.h"

#include "app/devices/engine_list.h"
#include "app/terminal/end_signals.h"
#include "app/terminal/exit_status.h"
#include "app/terminal/usage_error.h"
#include "app/version.h"
#include "core/engine/cpu/thread_team.h"
#include "ui/parts/background_work.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QIcon>

#include <cstdio>

#include <unistd.h>

namespace fullbatch {

namespace {

bool hasDisplay()
{
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY")
        || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

// A display that is named but cannot be reached ends Qt with an abort and a core dump; a person is
// served better by a sentence.
void endWithSentence(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    if (type == QtFatalMsg) {
        std::fputs(
            "fullbatch: The display cannot be used; train in the terminal with fullbatch run, "
            "or see fullbatch --help.\n",
            stderr);
        _exit(ExitFailed);
    }
    if (type != QtWarningMsg || !message.startsWith(QLatin1String("could not connect to display")))
        std::fprintf(stderr, "%s\n", qUtf8Printable(message));
}

WindowSetup windowSetup()
{
    WindowSetup setup;
    setup.engines = engineListBeforeSearch();
    setup.listEngines = [] { return engineList(); };
    setup.cores = usableCores();
    return setup;
}

} // namespace

int openWindow(int argc, char** argv)
{
    if (!hasDisplay())
        throw UsageError("There is no display to open the window on; train in the terminal with "
                         "fullbatch run, or see fullbatch --help.");
    const QtMessageHandler before = qInstallMessageHandler(endWithSentence);
    const QApplication application(argc, argv);
    qInstallMessageHandler(before);

    QApplication::setOrganizationName(QStringLiteral("Fullbatch"));
    QApplication::setApplicationName(QStringLiteral("Fullbatch"));
    QApplication::setApplicationVersion(QString::fromLatin1(versionText));
    QApplication::setDesktopFileName(QStringLiteral("org.fullbatch.Fullbatch"));
    QApplication::setWindowIcon(QIcon(QStringLiteral(":/fullbatch.svg")));
    int status = 0;
    {
        MainWindow window(windowSetup());
        window.show();
        const EndSignals endSignals([&window] { window.closeWithoutAsking(); });
        status = QApplication::exec();
    }
    return leave(status);
}

} // namespace fullbatch
