// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <boost/context/stack_context.hpp>

#include <cstddef>
#include <vector>

namespace fullbatch::emulation {

/// Stacks for the threads of a block, with an unreadable page below each; kept for the next block.
/// Each begins at another offset in its page, or the hot ends of all of them would fall into the
/// same few sets of the first-level cache. Not thread-safe.
class FiberStacks
{
public:
    FiberStacks() = default;
    FiberStacks(const FiberStacks&) = delete;
    FiberStacks& operator=(const FiberStacks&) = delete;

    boost::context::stack_context take();
    void giveBack(const boost::context::stack_context& stack) { m_free.push_back(stack); }

    /// What Boost.Context takes for an allocator; it only gives back.
    struct Allocator
    {
        FiberStacks* stacks;
        void deallocate(boost::context::stack_context& stack) { stacks->giveBack(stack); }
    };

private:
    std::vector<boost::context::stack_context> m_free;
    std::size_t m_made = 0;
};

} // namespace fullbatch::emulation
