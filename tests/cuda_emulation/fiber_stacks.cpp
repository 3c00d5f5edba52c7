// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/fiber_stacks.h"

#include <cerrno>
#include <sys/mman.h>
#include <system_error>

namespace fullbatch::emulation {
namespace {

constexpr std::size_t stackBytes = std::size_t(256) << 10; ///< addresses; memory when touched
constexpr std::size_t guardBytes = 4096;
constexpr std::size_t offsetStep = 192; ///< three cache lines
constexpr std::size_t offsets = 20;

} // namespace

boost::context::stack_context FiberStacks::take()
{
    if (!m_free.empty()) {
        const auto stack = m_free.back();
        m_free.pop_back();
        return stack;
    }
    void* const mapped = mmap(nullptr, guardBytes + stackBytes, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapped == MAP_FAILED || mprotect(mapped, guardBytes, PROT_NONE) != 0)
        throw std::system_error(errno, std::generic_category(), "mmap of a stack");
    const std::size_t offset = offsetStep * (m_made++ % offsets);
    boost::context::stack_context stack;
    stack.size = stackBytes - offset;
    stack.sp = static_cast<std::byte*>(mapped) + guardBytes + stackBytes - offset;
    return stack;
}

} // namespace fullbatch::emulation
