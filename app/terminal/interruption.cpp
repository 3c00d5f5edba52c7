// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/terminal/interruption.h"

#include "app/terminal/exit_status.h"

#include <array>
#include <atomic>
#include <csignal>

#include <unistd.h>

namespace fullbatch {

namespace {

constexpr std::array signalsToNote = {SIGINT, SIGTERM, SIGHUP};

std::atomic<bool> noted = false;
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may use it");

std::array<struct sigaction, signalsToNote.size()> previous;
struct sigaction previousPipe;

void note(int)
{
    if (noted.exchange(true))
        _exit(ExitInterrupted);
}

} // namespace

Interruption::Interruption()
{
    noted = false;
    struct sigaction action = {};
    action.sa_handler = note;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_RESTART; // files are being written while it may come
    for (std::size_t i = 0; i < signalsToNote.size(); ++i) {
        sigaction(signalsToNote[i], nullptr, &previous[i]);
        // nohup ignores SIGHUP so that the run outlives its terminal
        if (signalsToNote[i] == SIGHUP && previous[i].sa_handler == SIG_IGN)
            continue;
        sigaction(signalsToNote[i], &action, nullptr);
    }
    struct sigaction ignore = {};
    ignore.sa_handler = SIG_IGN;
    sigaction(SIGPIPE, &ignore, &previousPipe);
}

Interruption::~Interruption()
{
    for (std::size_t i = 0; i < signalsToNote.size(); ++i)
        sigaction(signalsToNote[i], &previous[i], nullptr);
    sigaction(SIGPIPE, &previousPipe, nullptr);
}

bool Interruption::requested()
{
    return noted;
}

} // namespace fullbatch
