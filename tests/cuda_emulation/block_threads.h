// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/device_builtins.h"
#include "tests/cuda_emulation/fiber_stacks.h"
#include "tests/cuda_emulation/switched_stack.h"
#include "tests/cuda_emulation/warp.h"

#include <boost/context/fiber.hpp>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace fullbatch::emulation {

/// Runs the threads of one block after another on fibers, as the threads of a kernel.
///
/// Threads take turns only where they wait. A fiber runs one thread after another until one waits;
/// only then another fiber is taken, so a kernel without barriers runs on a single fiber. The
/// order of the threads is the order of the warps, and of the lanes within a warp, between any two
/// places where they wait. A place where not all threads arrive that must ends the block with an
/// exception that says who waits where. Used by one thread at a time.
class BlockThreads
{
public:
    /// `body`: one thread's work, with threadIdx set.
    BlockThreads(dim3 shape, const std::function<void()>& body, ThreadOrder order,
                 std::mt19937_64& random, FiberStacks& stacks);
    ~BlockThreads();
    BlockThreads(const BlockThreads&) = delete;
    BlockThreads& operator=(const BlockThreads&) = delete;

    /// Runs all threads once. Throws what a thread threw, or std::logic_error for a place where
    /// threads wait for ever. Nothing may be run after an exception.
    void run();

    /// What the running thread calls; see device_builtins.h.
    static BlockThreads& running();
    void waitForBlock(SourcePlace place);
    std::uint64_t waitForWarp(const WarpOperation& operation, std::uint64_t bits, int argument);

private:
    enum class State : std::uint8_t { Ready, AtBarrier, AtWarpOperation, Ended };
    struct Fiber;
    struct Thread
    {
        Fiber* fiber = nullptr; ///< where it waits; null: it has not begun
        uint3 index{};
        State state = State::Ready;
        SourcePlace barrier{"", 0};
    };
    struct Fiber
    {
        boost::context::fiber context; ///< empty while it runs
        SwitchedStack stack;
        Thread* first = nullptr; ///< the thread to begin when it gets its turn
    };
    struct WarpThreads
    {
        Warp warp;
        Thread* lanes = nullptr;
    };

    void orderWarps();
    Thread* next();
    bool releaseWarp(WarpThreads& threads);
    bool releaseBlock();
    void wait();
    void switchTo(Fiber& fiber);
    void work(Fiber& fiber);
    Fiber& idleFiber();
    bool fail(const std::string& sentence); ///< false
    bool failWarp(const WarpThreads& threads);
    bool failBlock(const Thread& waiting, const Thread& other);
    std::string whereIs(const Thread& thread) const;

    const std::function<void()>& m_body;
    ThreadOrder m_order;
    std::mt19937_64& m_random;
    FiberStacks& m_stacks;
    std::vector<Thread> m_threads;
    std::vector<WarpThreads> m_warps;
    std::vector<std::uint32_t> m_warpTurns;
    std::size_t m_warpTurn = 0;
    WarpThreads* m_warp = nullptr; ///< whose lanes have their turn
    Thread* m_running = nullptr;
    std::vector<std::unique_ptr<Fiber>> m_fibers;
    std::vector<Fiber*> m_idle;
    Fiber m_host;
    Fiber* m_current = nullptr;
    Fiber* m_previous = nullptr;
    bool m_cancelled = false; ///< waiting threads unwind
    bool m_closing = false; ///< idle fibers end
    std::exception_ptr m_failure;
};

} // namespace fullbatch::emulation
