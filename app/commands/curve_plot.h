// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/run_report.h"

#include <filesystem>
#include <memory>

class QApplication;

namespace fullbatch {

/// Draws the curves of runs into picture files; needs no display. One at a time, in the main
/// thread, and never beside the window.
class CurvePlot
{
public:
    CurvePlot();
    ~CurvePlot();
    CurvePlot(const CurvePlot&) = delete;
    CurvePlot& operator=(const CurvePlot&) = delete;

    /// As .png, .svg or .pdf, by the file's ending. Throws OutputError.
    void write(const std::filesystem::path& file, const std::vector<RunResult>& results) const;

private:
    std::unique_ptr<QApplication> m_application;
};

} // namespace fullbatch
