// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/curve_plot.h"

#include "core/training/fields/run_names.h"
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

void CurvePlot::write(const std::filesystem::path& file,
                      const std::vector<RunResult>& results) const
{
    CurvePicture picture;
    std::vector<RunSpec> specs;
    for (const RunResult& result : results)
        specs.push_back(result.spec);
    const std::vector<std::string> names = runNames(specs);
    for (std::size_t run = 0; run < results.size(); ++run)
        picture.runs.push_back({QString::fromStdString(names[run]), results[run].outcome.log});
    const RunSpec& first = specs.front();
    picture.title = QString::fromStdString(results.front().data->source);
    if (results.size() == 1)
        picture.title = QString::fromStdString(
            fmt::format("{}, learning rate {}, momentum {}, seed {}", results.front().data->source,
                        first.learningRate, first.optimiser.momentum, first.seed));
    writeCurvePicture(file, picture);
}

} // namespace fullbatch
