// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/block_threads.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace fullbatch::emulation {
namespace {

constexpr unsigned warpLanes = 32;

BlockThreads* runningBlock = nullptr; ///< under the machine's lock

/// Unwinds a waiting thread of a block that has failed.
struct Cancelled
{
};

std::string text(SourcePlace place)
{
    const std::string file = place.file;
    return file.substr(file.rfind('/') + 1) + ":" + std::to_string(place.line);
}

std::string text(uint3 index)
{
    return "(" + std::to_string(index.x) + ", " + std::to_string(index.y) + ", "
        + std::to_string(index.z) + ")";
}

unsigned firstLane(unsigned lanes)
{
    return static_cast<unsigned>(std::countr_zero(lanes));
}

unsigned allLanes(unsigned count)
{
    return count == warpLanes ? ~0U : (1U << count) - 1;
}

/// The lane that a lane reads from; the lane itself where that lies outside its segment.
/// Source: CUDA C++ programming guide, warp shuffle functions.
unsigned sourceLane(const WarpOperation& operation, unsigned lane, int argument)
{
    const auto width = static_cast<unsigned>(operation.width);
    const auto by = static_cast<unsigned>(argument);
    const unsigned first = lane & ~(width - 1);
    const unsigned last = first + width - 1;
    switch (operation.exchange) {
    case Exchange::Index:
        return first + (by & (width - 1));
    case Exchange::Up:
        return by > lane - first ? lane : lane - by;
    case Exchange::Down:
        return by > last - lane ? lane : lane + by;
    case Exchange::Xor:
        return (lane ^ by) > last ? lane : lane ^ by;
    case Exchange::None:
        break;
    }
    return lane;
}

} // namespace

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
    Warp& warp = *m_warp;
    const auto lane = static_cast<unsigned>(m_running - warp.lanes);
    if (warp.waiting == 0) {
        warp.first = operation;
        warp.mixed = false;
    } else if (!(operation == warp.first)) {
        warp.mixed = true;
    }
    warp.waiting |= 1U << lane;
    warp.operations[lane] = &operation;
    warp.bits[lane] = bits;
    warp.arguments[lane] = argument;
    m_running->state = State::AtWarpOperation;
    wait();
    return warp.bits[lane];
}

BlockThreads& BlockThreads::running()
{
    if (runningBlock == nullptr)
        throw std::logic_error("Host code called a device function that waits.");
    return *runningBlock;
}

BlockThreads::BlockThreads(dim3 shape, const std::function<void()>& body, ThreadOrder order,
                           std::mt19937_64& random, FiberStacks& stacks)
    : m_body(body),
      m_order(order),
      m_random(random),
      m_stacks(stacks),
      m_threads(std::size_t(shape.x) * shape.y * shape.z),
      m_warps((m_threads.size() + warpLanes - 1) / warpLanes),
      m_warpTurns(m_warps.size())
{
    for (unsigned i = 0; i < m_threads.size(); ++i)
        m_threads[i].index = {i % shape.x, i / shape.x % shape.y, i / shape.x / shape.y};
    for (std::size_t i = 0; i < m_warps.size(); ++i) {
        m_warps[i].lanes = &m_threads[i * warpLanes];
        m_warps[i].size = static_cast<unsigned>(
            std::min<std::size_t>(warpLanes, m_threads.size() - i * warpLanes));
    }
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
    for (Warp& warp : m_warps)
        giveTurns(warp, allLanes(warp.size));
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

void BlockThreads::giveTurns(Warp& warp, unsigned lanes)
{
    warp.turn = warp.turnCount = 0;
    for (unsigned lane = 0; lane < warp.size; ++lane)
        if ((lanes >> lane & 1U) != 0)
            warp.turns[warp.turnCount++] = static_cast<std::uint8_t>(lane);
    const auto end = warp.turns.begin() + warp.turnCount;
    if (m_order == ThreadOrder::Reverse)
        std::reverse(warp.turns.begin(), end);
    else if (m_order == ThreadOrder::Random)
        std::shuffle(warp.turns.begin(), end, m_random);
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
        if (m_warp->turn < m_warp->turnCount)
            return &m_warp->lanes[m_warp->turns[m_warp->turn++]];
        if (m_warp->waiting != 0) {
            if (!releaseWarp(*m_warp))
                return nullptr;
        } else if (m_warpTurn < m_warpTurns.size()) {
            m_warp = &m_warps[m_warpTurns[m_warpTurn++]];
        } else if (!releaseBlock()) {
            return nullptr;
        }
    }
}

unsigned BlockThreads::releasable(const Warp& warp) const
{
    if (!warp.mixed)
        return warp.waiting == warp.first.mask ? warp.waiting : 0;
    for (unsigned rest = warp.waiting; rest != 0; rest &= rest - 1) {
        const WarpOperation& operation = *warp.operations[firstLane(rest)];
        unsigned group = 0;
        for (unsigned lane = 0; lane < warp.size; ++lane)
            if ((warp.waiting >> lane & 1U) != 0 && *warp.operations[lane] == operation)
                group |= 1U << lane;
        if (group == operation.mask)
            return group;
    }
    return 0;
}

bool BlockThreads::releaseWarp(Warp& warp)
{
    const unsigned lanes = releasable(warp);
    if (lanes == 0)
        return failWarp(warp);
    if (warp.operations[firstLane(lanes)]->exchange != Exchange::None) {
        exchange(warp, lanes);
        if (m_failure != nullptr)
            return false;
    }
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1)
        warp.lanes[firstLane(rest)].state = State::Ready;
    warp.waiting &= ~lanes;
    giveTurns(warp, lanes);
    return true;
}

void BlockThreads::exchange(Warp& warp, unsigned lanes)
{
    const WarpOperation& operation = *warp.operations[firstLane(lanes)];
    const auto width = static_cast<unsigned>(operation.width);
    if (operation.width < 1 || width > warpLanes || !std::has_single_bit(width)) {
        fail("the shuffle at " + text(operation.place)
             + " has a width that is no power of two of at most 32.");
        return;
    }
    const auto given = warp.bits;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const auto lane = firstLane(rest);
        const unsigned source = sourceLane(operation, lane, warp.arguments[lane]);
        if ((lanes >> source & 1U) == 0) {
            fail("the shuffle at " + text(operation.place) + " reads from lane "
                 + std::to_string(source) + ", which its mask leaves out.");
            return;
        }
        warp.bits[lane] = given[source];
    }
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
    for (Warp& warp : m_warps)
        giveTurns(warp, allLanes(warp.size));
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

bool BlockThreads::failWarp(const Warp& warp)
{
    const auto lane = firstLane(warp.waiting);
    const WarpOperation& operation = *warp.operations[lane];
    std::string sentence = "the warp operation at " + text(operation.place) + " of block "
        + text(blockIdx) + " waits for lanes that do not come: ";
    unsigned missing = 0;
    while (missing < warpLanes
           && ((operation.mask >> missing & 1U) == 0
               || (missing < warp.size && (warp.waiting >> missing & 1U) != 0
                   && *warp.operations[missing] == operation)))
        ++missing;
    if (missing == warpLanes)
        sentence += "thread " + text(warp.lanes[lane].index) + " is not in its mask";
    else if (missing >= warp.size)
        sentence += "the block has no lane " + std::to_string(missing) + " in its last warp";
    else if ((warp.waiting >> missing & 1U) != 0)
        sentence += "thread " + text(warp.lanes[missing].index) + " waits at "
            + text(warp.operations[missing]->place) + " or with another mask or width";
    else
        sentence += whereIs(warp.lanes[missing]);
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
