// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/block_threads.h"

#include <algorithm>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace fullbatch::emulation {
namespace {

BlockThreads* runningBlock = nullptr; ///< under the machine's lock

/// Unwinds a waiting thread of a block that has failed.
struct Cancelled
{
};

std::string text(uint3 index)
{
    std::ostringstream text;
    text << '(' << index.x << ", " << index.y << ", " << index.z << ')';
    return text.str();
}

} // namespace

[[gnu::always_inline]] inline BlockThreads& BlockThreads::running()
{
    if (runningBlock == nullptr)
        throw std::logic_error("Host code called a device function that waits.");
    return *runningBlock;
}

// Every return behind a switch is one that the processor foresaw wrongly, so that all of this is
// inlined into the functions that kernels call: measured 3 times faster.
[[gnu::always_inline]] inline void BlockThreads::switchTo(Fiber& fiber)
{
    Fiber& self = *m_current;
    m_previous = &self;
    m_current = &fiber;
    self.stack.leaveFor(fiber.stack);
    auto from = std::move(fiber.context).resume();
    self.stack.arriveFrom(m_previous->stack);
    m_previous->context = std::move(from);
}

[[gnu::always_inline]] inline void BlockThreads::wait()
{
    Thread& self = *m_running;
    self.fiber = m_current;
    Thread* const following = next();
    if (following == nullptr) {
        switchTo(m_host);
    } else if (following->fiber == nullptr) {
        Fiber& fiber = idleFiber();
        fiber.first = following;
        switchTo(fiber);
    } else if (following != &self) {
        switchTo(*following->fiber);
    }
    self.fiber = nullptr;
    if (m_cancelled)
        throw Cancelled{};
    m_running = &self;
    threadIdx = self.index;
}

[[gnu::always_inline]] inline void BlockThreads::waitForBlock(SourcePlace place)
{
    m_running->state = State::AtBarrier;
    m_running->barrier = place;
    wait();
}

[[gnu::always_inline]] inline std::uint64_t
BlockThreads::waitForWarp(const WarpOperation& operation, std::uint64_t bits, int argument)
{
    const auto lane = static_cast<unsigned>(m_running - m_warp->lanes);
    m_warp->warp.arrive(lane, operation, bits, argument);
    m_running->state = State::AtWarpOperation;
    WarpThreads& own = *m_warp;
    wait();
    return own.warp.taken(lane);
}

BlockThreads::BlockThreads(dim3 shape, const std::function<void()>& body, ThreadOrder order,
                           std::mt19937_64& random, FiberStacks& stacks)
    : m_body(body),
      m_order(order),
      m_random(random),
      m_stacks(stacks),
      m_threads(std::size_t(shape.x) * shape.y * shape.z)
{
    for (unsigned i = 0; i < m_threads.size(); ++i)
        m_threads[i].index = {i % shape.x, i / shape.x % shape.y, i / shape.x / shape.y};
    for (std::size_t first = 0; first < m_threads.size(); first += Warp::maximumSize) {
        const auto size = std::min<std::size_t>(Warp::maximumSize, m_threads.size() - first);
        m_warps.push_back({Warp(static_cast<unsigned>(size)), &m_threads[first]});
    }
    m_warpTurns.resize(m_warps.size());
}

BlockThreads::~BlockThreads()
{
    m_closing = true;
    for (const auto& fiber : m_fibers)
        switchTo(*fiber);
}

void BlockThreads::run()
{
    for (Thread& thread : m_threads)
        thread.state = State::Ready;
    for (WarpThreads& each : m_warps)
        each.warp.giveTurns(each.warp.all(), m_order, m_random);
    orderWarps();
    m_current = &m_host;
    Thread* const first = next();
    Fiber& fiber = idleFiber();
    fiber.first = first;
    runningBlock = this;
    switchTo(fiber);
    runningBlock = nullptr;
    if (m_failure == nullptr)
        return;
    m_cancelled = true;
    for (const Thread& thread : m_threads)
        if (thread.fiber != nullptr)
            switchTo(*thread.fiber);
    std::rethrow_exception(m_failure);
}

void BlockThreads::work(Fiber& fiber)
{
    while (!m_closing) {
        Thread& thread = *std::exchange(fiber.first, nullptr);
        m_running = &thread;
        threadIdx = thread.index;
        try {
            m_body();
        } catch (const Cancelled&) {
        } catch (...) {
            m_failure = std::current_exception();
        }
        thread.state = State::Ended;
        Thread* const following = m_failure == nullptr ? next() : nullptr;
        if (following != nullptr && following->fiber == nullptr) {
            fiber.first = following;
            continue;
        }
        m_idle.push_back(&fiber);
        switchTo(following != nullptr ? *following->fiber : m_host);
    }
}

BlockThreads::Fiber& BlockThreads::idleFiber()
{
    if (!m_idle.empty()) {
        Fiber& fiber = *m_idle.back();
        m_idle.pop_back();
        return fiber;
    }
    Fiber& fiber = *m_fibers.emplace_back(std::make_unique<Fiber>());
    const auto stack = m_stacks.take();
    fiber.stack.setBounds(static_cast<std::byte*>(stack.sp) - stack.size, stack.size);
    fiber.context = boost::context::fiber(
        std::allocator_arg, boost::context::preallocated(stack.sp, stack.size, stack),
        FiberStacks::Allocator{&m_stacks}, [this, &fiber](boost::context::fiber&& from) {
            fiber.stack.arriveFrom(m_previous->stack);
            m_previous->context = std::move(from);
            work(fiber);
            m_current = &m_host;
            fiber.stack.leaveFor(m_host.stack, true);
            return std::move(m_host.context);
        });
    return fiber;
}

void BlockThreads::orderWarps()
{
    std::iota(m_warpTurns.begin(), m_warpTurns.end(), 0U);
    if (m_order == ThreadOrder::Reverse)
        std::reverse(m_warpTurns.begin(), m_warpTurns.end());
    else if (m_order == ThreadOrder::Random)
        std::shuffle(m_warpTurns.begin(), m_warpTurns.end(), m_random);
    m_warp = &m_warps[m_warpTurns[0]];
    m_warpTurn = 1;
}

/// The thread whose turn it is; null when the block has ended or failed.
BlockThreads::Thread* BlockThreads::next()
{
    for (;;) {
        if (m_warp->warp.hasTurn())
            return &m_warp->lanes[m_warp->warp.takeTurn()];
        if (m_warp->warp.waiting() != 0) {
            if (!releaseWarp(*m_warp))
                return nullptr;
        } else if (m_warpTurn < m_warpTurns.size()) {
            m_warp = &m_warps[m_warpTurns[m_warpTurn++]];
        } else if (!releaseBlock()) {
            return nullptr;
        }
    }
}

bool BlockThreads::releaseWarp(WarpThreads& threads)
{
    unsigned lanes = 0;
    try {
        lanes = threads.warp.release();
    } catch (const std::logic_error&) {
        m_failure = std::current_exception();
        return false;
    }
    if (lanes == 0)
        return failWarp(threads);
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
        threads.lanes[firstLane(rest)].state = State::Ready;
    threads.warp.giveTurns(lanes, m_order, m_random);
    return true;
}

bool BlockThreads::releaseBlock()
{
    const Thread& first = m_threads.front();
    for (const Thread& thread : m_threads)
        if (thread.state != first.state
            || (thread.state == State::AtBarrier && !(thread.barrier == first.barrier)))
            return failBlock(first.state == State::AtBarrier ? first : thread,
                             first.state == State::AtBarrier ? thread : first);
    if (first.state == State::Ended)
        return false;
    for (Thread& thread : m_threads)
        thread.state = State::Ready;
    for (WarpThreads& each : m_warps)
        each.warp.giveTurns(each.warp.all(), m_order, m_random);
    orderWarps();
    return true;
}

std::string BlockThreads::whereIs(const Thread& thread) const
{
    const std::string name = "thread " + text(thread.index);
    if (thread.state == State::AtBarrier)
        return name + " waits in __syncthreads at " + text(thread.barrier);
    return name + " has ended";
}

bool BlockThreads::fail(const std::string& sentence)
{
    m_failure = std::make_exception_ptr(std::logic_error(sentence));
    return false;
}

bool BlockThreads::failBlock(const Thread& waiting, const Thread& other)
{
    return fail("not all threads of block " + text(blockIdx)
                + " reach one __syncthreads: " + whereIs(waiting) + ", " + whereIs(other) + ".");
}

bool BlockThreads::failWarp(const WarpThreads& threads)
{
    const Warp& warp = threads.warp;
    const unsigned lane = firstLane(warp.waiting());
    const unsigned missing = warp.missing(lane);
    std::string sentence = "the warp operation at " + text(warp.operation(lane).place)
        + " of block " + text(blockIdx) + " waits for lanes that do not come: ";
    if (missing == Warp::maximumSize)
        sentence += "thread " + text(threads.lanes[lane].index) + " is not in its mask";
    else if (missing >= warp.size())
        sentence += "the block has no lane " + std::to_string(missing) + " in its last warp";
    else if ((warp.waiting() >> missing & 1U) != 0)
        sentence += "thread " + text(threads.lanes[missing].index) + " waits at "
            + text(warp.operation(missing).place) + " or with another mask or width";
    else
        sentence += whereIs(threads.lanes[missing]);
    return fail(sentence + ".");
}

void waitForBlock(SourcePlace place)
{
    BlockThreads::running().waitForBlock(place);
}

std::uint64_t waitForWarp(const WarpOperation& operation, std::uint64_t bits, int argument)
{
    return BlockThreads::running().waitForWarp(operation, bits, argument);
}

} // namespace fullbatch::emulation
