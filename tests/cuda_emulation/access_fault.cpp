// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/access_fault.h"

#include "tests/cuda_emulation/machine.h"

#include <csignal>
#include <cstdio>

namespace fullbatch::emulation {
namespace {

struct sigaction earlierHandler
{
};

std::string explain(const void* address)
{
    const Machine& it = machine();
    const bool device = it.deviceMemory.owns(address);
    if (!device && !it.hostMemory.owns(address))
        return {};
    const std::string what = (device ? "device memory " : "pinned memory ")
        + (device ? it.deviceMemory : it.hostMemory).describe(address);
    if (it.running != nullptr)
        return it.running->name + " touched " + what + ".";
    return "the host touched " + what + (device ? "; only device work and copies may." : ".");
}

/// The process is lost, so that what a handler must not do does no harm any more.
void handle(int, siginfo_t* info, void*)
{
    const std::string sentence = explain(info->si_addr);
    if (!sentence.empty())
        std::fprintf(stderr, "CUDA emulation: %s\n", sentence.c_str());
    std::fflush(stderr);
    sigaction(SIGSEGV, &earlierHandler, nullptr); // the access is tried again and meets that one
}

} // namespace

void explainAccessFaults()
{
    struct sigaction action
    {
    };
    action.sa_sigaction = handle;
    action.sa_flags = SA_SIGINFO | SA_NODEFER;
    sigaction(SIGSEGV, &action, &earlierHandler);
}

} // namespace fullbatch::emulation
