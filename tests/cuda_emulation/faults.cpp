// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/faults.h"
#include "tests/cuda_emulation/control.h"

#include <map>
#include <mutex>

namespace fullbatch::emulation {
namespace {

struct Function
{
    std::size_t calls = 0;
    std::map<std::size_t, int> faults; ///< by the number of the call that fails
};

std::mutex faultsMutex;
std::map<std::string, Function, std::less<>> functions;

Function& named(std::string_view name)
{
    const auto found = functions.find(name);
    return found != functions.end() ? found->second : functions[std::string(name)];
}

} // namespace

void failCall(std::string_view function, int count, int status)
{
    const std::lock_guard lock(faultsMutex);
    Function& it = named(function);
    it.faults[it.calls + static_cast<std::size_t>(count)] = status;
}

std::optional<int> faultOf(std::string_view function)
{
    const std::lock_guard lock(faultsMutex);
    Function& it = named(function);
    const auto fault = it.faults.find(++it.calls);
    if (fault == it.faults.end())
        return std::nullopt;
    const int status = fault->second;
    it.faults.erase(fault);
    return status;
}

std::size_t callCount(std::string_view function)
{
    const std::lock_guard lock(faultsMutex);
    return named(function).calls;
}

void forgetFaults()
{
    const std::lock_guard lock(faultsMutex);
    functions.clear();
}

} // namespace fullbatch::emulation
