// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/progress_line.h"

#include "app/terminal/grouped_number.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdio>

#include <sys/ioctl.h>
#include <unistd.h>

namespace fullbatch {

namespace {

using namespace std::chrono_literals;

constexpr std::size_t barLength = 20;
constexpr auto terminalInterval = 100ms;
constexpr auto logInterval = 5s;

std::size_t terminalColumns()
{
    winsize size = {};
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string speedText(double epochsPerSecond)
{
    if (!(epochsPerSecond > 0))
        return "- epochs/s";
    return epochsPerSecond < 100 ? fmt::format("{:.3g} epochs/s", epochsPerSecond)
                                 : grouped(std::llround(epochsPerSecond)) + " epochs/s";
}

std::string timeLeftText(double seconds, std::chrono::system_clock::time_point now)
{
    constexpr double longestShown = 365.0 * 24 * 3600;
    if (!(seconds < longestShown))
        return "time left unknown";
    const auto end = now + std::chrono::seconds(std::llround(seconds));
    const std::tm clock = fmt::localtime(std::chrono::system_clock::to_time_t(end));
    const bool today = seconds < 12 * 3600;
    return fmt::format("{} left, done at ", durationText(seconds))
        + (today ? fmt::format("{:%H:%M}", clock) : fmt::format("{:%Y-%m-%d %H:%M}", clock));
}

} // namespace

std::string durationText(double seconds)
{
    if (!std::isfinite(seconds))
        return "unknown";
    if (seconds < 10)
        return fmt::format("{:.1f} s", seconds);
    const auto whole = std::llround(seconds);
    if (whole < 60)
        return fmt::format("{} s", whole);
    if (whole < 3600)
        return fmt::format("{} min {} s", whole / 60, whole % 60);
    return fmt::format("{} h {} min", grouped(whole / 3600), whole / 60 % 60);
}

std::string progressLine(const MetricsLog& log, std::int64_t epochs, const Speed& speed,
                         std::chrono::system_clock::time_point now, std::size_t columns)
{
    const std::size_t done = log.epochs.size();
    const double share = epochs > 0 ? static_cast<double>(done) / static_cast<double>(epochs) : 1;
    const auto filled = static_cast<std::size_t>(share * static_cast<double>(barLength));
    std::string line = fmt::format("[{:#<{}}{:-<{}}] {:3.0f} %", "", filled, "", barLength - filled,
                                   std::floor(100 * share));

    std::vector<std::string> parts = {
        fmt::format("epoch {} of {}", grouped(static_cast<std::int64_t>(done)), grouped(epochs))};
    if (done > 0) {
        const EpochMetrics& last = log.epochs[done - 1];
        parts.push_back(std::isfinite(last.loss) ? fmt::format(
                            "error {:.2f} %", errorPercent(last.wrongRows, log.trainRows))
                                                 : "the loss is not finite");
        parts.push_back(speedText(speed.epochsPerSecond));
        const auto left = static_cast<std::uint64_t>(epochs) - done;
        if (left > 0)
            parts.push_back(timeLeftText(secondsLeft(speed, left), now));
    }
    for (const std::string& part : parts) {
        if (line.size() + 2 + part.size() > columns)
            break;
        line += "  " + part;
    }
    return line;
}

ProgressDisplay::ProgressDisplay(bool quiet)
    : m_quiet(quiet),
      m_terminal(isatty(STDERR_FILENO) == 1),
      m_next(Clock::now() + (m_terminal ? Clock::duration(0s) : Clock::duration(1s)))
{
}

void ProgressDisplay::show(const MetricsLog& log, std::int64_t epochs, const Speed& speed)
{
    if (m_quiet || Clock::now() < m_next)
        return;
    draw(log, epochs, speed);
    m_next = Clock::now() + (m_terminal ? Clock::duration(terminalInterval) : logInterval);
}

void ProgressDisplay::finish(const MetricsLog& log, std::int64_t epochs, const Speed& speed)
{
    if (m_quiet)
        return;
    draw(log, epochs, speed);
    if (m_terminal)
        std::fputc('\n', stderr);
}

void ProgressDisplay::draw(const MetricsLog& log, std::int64_t epochs, const Speed& speed)
{
    const std::size_t columns = m_terminal ? terminalColumns() - 1 : 200;
    const std::string line =
        progressLine(log, epochs, speed, std::chrono::system_clock::now(), columns);
    // \r and "erase to the end of the line": the terminal keeps one line
    std::fputs((m_terminal ? "\r" + line + "\x1b[K" : line + "\n").c_str(), stderr);
    std::fflush(stderr);
}

} // namespace fullbatch
