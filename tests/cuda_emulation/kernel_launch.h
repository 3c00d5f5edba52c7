// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/device_work.h"

#include <cuda_runtime_api.h>

#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace fullbatch::emulation {

/// A kernel with its arguments, ready to run for every thread of a grid.
struct KernelCall
{
    const void* address = nullptr; ///< the kernel, for its name
    std::string parameters; ///< their types, where the linker knows no name
    std::function<void()> body; ///< one thread's work
    std::vector<const void*> pointers; ///< arguments that are pointers and not null
    /// Every aligned 8-byte word of the other arguments: those that are addresses of device memory,
    /// living or freed, are watched.
    std::vector<const void*> words;
};

/// Checks the configuration as the driver does, then queues the grid. Counts as cudaLaunchKernelEx.
cudaError_t launchKernel(const cudaLaunchConfig_t* config, KernelCall call);

/// "(const float*, int)", for the pointer to a kernel.
template <class Function>
std::string parametersOf(Function)
{
    const std::string name = __PRETTY_FUNCTION__;
    const auto begin = name.find("(*)", name.find("Function = ")) + 3;
    return name.substr(begin, name.find(';', begin) - begin);
}

template <class Argument>
void appendAddresses(KernelCall& call, const Argument& argument)
{
    if constexpr (std::is_pointer_v<Argument>) {
        if (argument != nullptr)
            call.pointers.push_back(argument);
        return;
    }
    const auto* bytes = reinterpret_cast<const unsigned char*>(&argument);
    for (std::size_t i = 0; i + sizeof(void*) <= sizeof(Argument); i += alignof(void*)) {
        const void* word = nullptr;
        __builtin_memcpy(&word, bytes + i, sizeof word);
        call.words.push_back(word);
    }
}

} // namespace fullbatch::emulation

/// Converts the arguments to the kernel's own types at once and keeps copies, as a real launch
/// does.
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments)
{
    static_assert((std::is_trivially_copyable_v<Parameters> && ...),
                  "A kernel's parameters are copied byte by byte to the device.");
    static_assert(sizeof...(Parameters) == sizeof...(Arguments));
    std::tuple<Parameters...> kept(std::forward<Arguments>(arguments)...);
    fullbatch::emulation::KernelCall call;
    call.address = reinterpret_cast<const void*>(kernel);
    call.parameters = fullbatch::emulation::parametersOf(kernel);
    std::apply(
        [&](const auto&... each) { (fullbatch::emulation::appendAddresses(call, each), ...); },
        kept);
    call.body = [kernel, kept] { std::apply(kernel, kept); };
    return fullbatch::emulation::launchKernel(config, std::move(call));
}
