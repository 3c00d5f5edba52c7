// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

namespace fullbatch {

/// What the built program said and how it ended.
struct Finished
{
    int exitStatus = -1; ///< -1: it crashed, or did not end within a minute
    QByteArray output;
    QByteArray errors;
};

/// The program that was built beside the tests.
[[nodiscard]] QString programPath();

/// The environment of the tests without any display, in which the program must work.
[[nodiscard]] QProcessEnvironment withoutDisplay();

/// Runs `fullbatch arguments...` in `folder` to its end.
[[nodiscard]] Finished runProgram(const QStringList& arguments, const QString& folder,
                                  const QProcessEnvironment& environment = withoutDisplay());

[[nodiscard]] QByteArray fileBytes(const QString& path);

} // namespace fullbatch
