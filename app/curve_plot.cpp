// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/curve_plot.h"

#include "core/exchange/output_file.h"

#include <QApplication>

#include <clocale>

namespace fullbatch {

namespace {

// QApplication keeps references to both.
int argumentCount = 1;
char programName[] = "fullbatch";
char* arguments[] = {programName, nullptr};

} // namespace

CurvePlot::CurvePlot()
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    m_application = std::make_unique<QApplication>(argumentCount, arguments);
    // Qt takes over the person's locale; files keep their decimal point.
    std::setlocale(LC_NUMERIC, "C");
}

CurvePlot::~CurvePlot() = default;

void CurvePlot::write(const std::filesystem::path& file, const RunResult&) const
{
    throw OutputError(file.string() + " cannot be written.");
}

} // namespace fullbatch
