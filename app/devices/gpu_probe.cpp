// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/devices/gpu_probe.h"

#include "app/devices/gpu_plugin.h"
#include "app/devices/gpu_report_json.h"
#include "app/terminal/exit_status.h"

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include <fcntl.h>
#include <unistd.h>

namespace fullbatch {

namespace {

constexpr const char* damagedDriver =
    "Restart the computer; if that does not help, install the NVIDIA driver again.";

GpuReport failed(std::string unusable, std::string remedy)
{
    GpuReport report;
    report.unusable = std::move(unusable);
    report.remedy = std::move(remedy);
    return report;
}

std::string signalText(int signal)
{
    const char* const name = sigabbrev_np(signal);
    const char* const words = sigdescr_np(signal);
    if (name == nullptr || words == nullptr)
        return fmt::format("signal {}", signal);
    return fmt::format("SIG{}, {}", name, words);
}

GpuReport reportOfPlugin()
{
    const OpenedGpuPlugin opened = openGpuPlugin();
    return opened.plugin == nullptr ? failed(opened.unusable, opened.remedy)
                                    : opened.plugin->report();
}

bool writeAll(int file, std::string_view text)
{
    while (!text.empty()) {
        const ssize_t count = write(file, text.data(), text.size());
        if (count <= 0)
            return false;
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

} // namespace

GpuReport reportOf(const ChildEnd& child, std::chrono::milliseconds limit)
{
    if (!child.failure.empty())
        return failed(fmt::format("The program could not start itself to look for graphics cards: "
                                  "{}.",
                                  child.failure),
                      "Close other programs, then start Fullbatch again.");
    if (child.timedOut)
        return failed(fmt::format("Looking for graphics cards took longer than {:.3g} s and was "
                                  "ended: the driver hangs.",
                                  std::chrono::duration<double>(limit).count()),
                      damagedDriver);
    if (child.signal != 0)
        return failed(fmt::format("Looking for graphics cards crashed ({}): the driver, CUDA or "
                                  "the plug-in is damaged.",
                                  signalText(child.signal)),
                      damagedDriver);
    try {
        if (child.exitStatus == ExitDone)
            return gpuReportFromJson(child.output);
    } catch (const std::invalid_argument&) { // said below
    }
    return failed(fmt::format("Looking for graphics cards ended with exit status {} and without a "
                              "report that can be read.",
                              child.exitStatus.value_or(ExitFailed)),
                  damagedDriver);
}

GpuReport probeGpus(const std::filesystem::path& program, std::chrono::milliseconds limit)
{
    return reportOf(runChild(program, {gpuReportCommandName}, limit), limit);
}

void writeGpuReport()
{
    endWithParent();
    // What drivers print goes nowhere; the report alone goes to the parent.
    const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    dup2(nowhere, STDOUT_FILENO);
    const bool written = writeAll(out, toJson(reportOfPlugin()) + "\n");
    std::_Exit(written ? ExitDone : ExitFailed);
}

} // namespace fullbatch
