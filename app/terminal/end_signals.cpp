// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/end_signals.h"

#include <QSocketNotifier>

#include <array>
#include <csignal>
#include <memory>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace fullbatch {

namespace {

constexpr std::array endSignals = {SIGINT, SIGTERM, SIGHUP};

// A handler may do next to nothing, but it may write: the event loop reads at the other end.
std::array<int, 2> wakePipe = {-1, -1};
std::array<struct sigaction, endSignals.size()> previous;
std::unique_ptr<QSocketNotifier> notifier;

void wake(int)
{
    constexpr char byte = 0;
    [[maybe_unused]] const ssize_t written = write(wakePipe[1], &byte, 1);
}

} // namespace

EndSignals::EndSignals(std::function<void()> end)
{
    if (pipe2(wakePipe.data(), O_CLOEXEC | O_NONBLOCK) != 0)
        return; // then signals end the process at once, as they always have
    notifier = std::make_unique<QSocketNotifier>(wakePipe[0], QSocketNotifier::Read);
    QObject::connect(notifier.get(), &QSocketNotifier::activated, notifier.get(),
                     [end = std::move(end)] {
                         notifier->setEnabled(false);
                         end();
                     });
    struct sigaction action = {};
    action.sa_handler = wake;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART | static_cast<int>(SA_RESETHAND);
    for (std::size_t i = 0; i < endSignals.size(); ++i) {
        sigaction(endSignals[i], nullptr, &previous[i]);
        // nohup ignores SIGHUP so that the program outlives its terminal
        if (previous[i].sa_handler != SIG_IGN)
            sigaction(endSignals[i], &action, nullptr);
    }
}

EndSignals::~EndSignals()
{
    if (!notifier)
        return;
    for (std::size_t i = 0; i < endSignals.size(); ++i)
        sigaction(endSignals[i], &previous[i], nullptr);
    notifier.reset();
    for (int& end : wakePipe)
        close(std::exchange(end, -1));
}

} // namespace fullbatch
