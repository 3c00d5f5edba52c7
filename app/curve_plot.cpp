// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/curve_plot.h"

#include "core/training/run_names.h"
#include "ui/chart/curve_picture.h"

#include <QApplication>
#include <fmt/format.h>

#include <array>
#include <clocale>
#include <cstdio>

namespace fullbatch {

namespace {

// QApplication keeps references to its arguments.
int argumentCount = 1;
std::array<char, 10> programName{"fullbatch"};
std::array<char*, 2> arguments{programName.data(), nullptr};

// Hints for desktops ("XDG_RUNTIME_DIR not set") have no place in a terminal.
void dropHints(QtMsgType type, const QMessageLogContext&, const QString& message)
{
    if (type == QtCriticalMsg || type == QtFatalMsg)
        std::fprintf(stderr, "%s\n", qUtf8Printable(message));
}

} // namespace

CurvePlot::CurvePlot()
{
    qInstallMessageHandler(dropHints);
    qputenv("QT_QPA_PLATFORM", "offscreen");
    m_application = std::make_unique<QApplication>(argumentCount, arguments.data());
    // Qt takes over the person's locale; every file keeps its decimal point.
    std::setlocale(LC_NUMERIC, "C");
    QLocale::setDefault(QLocale::c());
}

CurvePlot::~CurvePlot() = default;

void CurvePlot::write(const std::filesystem::path& file, const RunResult& result) const
{
    CurvePicture picture;
    const std::vector<std::string> names = runNames({&result.spec, 1});
    picture.runs.push_back({QString::fromStdString(names.front()), result.outcome.log});
    picture.title = QString::fromStdString(
        fmt::format("{}, learning rate {}, momentum {}, seed {}", result.data->source,
                    result.spec.learningRate, result.spec.momentum, result.spec.seed));
    writeCurvePicture(file, picture);
}

} // namespace fullbatch
