// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window.h"

#include "app/engine_list.h"
#include "app/exit_status.h"
#include "app/usage_error.h"

#include <QApplication>

namespace fullbatch {

namespace {

bool hasDisplay()
{
    return qEnvironmentVariableIsSet("QT_QPA_PLATFORM") || !qEnvironmentVariableIsEmpty("DISPLAY")
        || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY");
}

} // namespace

int openWindow(int argc, char** argv)
{
    if (!hasDisplay())
        throw UsageError("There is no display to open the window on; train in the terminal with "
                         "fullbatch run, or see fullbatch --help.");
    const QApplication application(argc, argv);
    return ExitDone;
}

} // namespace fullbatch
