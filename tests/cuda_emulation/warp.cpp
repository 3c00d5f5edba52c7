// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/warp.h"

#include <algorithm>
#include <string>

namespace fullbatch::emulation {
namespace {

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

std::string text(SourcePlace place)
{
    const std::string file = place.file;
    return file.substr(file.rfind('/') + 1) + ":" + std::to_string(place.line);
}

void Warp::giveTurns(unsigned lanes, ThreadOrder order, std::mt19937_64& random)
{
    m_turn = m_turnCount = 0;
    for (unsigned lane = 0; lane < m_size; ++lane)
        if ((lanes >> lane & 1U) != 0)
            m_turns[m_turnCount++] = static_cast<std::uint8_t>(lane);
    const auto end = m_turns.begin() + m_turnCount;
    if (order == ThreadOrder::Reverse)
        std::reverse(m_turns.begin(), end);
    else if (order == ThreadOrder::Random)
        std::shuffle(m_turns.begin(), end, random);
}

unsigned Warp::companions(const WarpOperation& operation) const
{
    unsigned lanes = 0;
    for (unsigned rest = m_waiting; rest != 0; rest &= rest - 1)
        if (*m_operations[firstLane(rest)] == operation)
            lanes |= 1U << firstLane(rest);
    return lanes;
}

/// The lanes of an operation to which all have come; none where there is no such operation.
unsigned Warp::complete() const
{
    if (!m_mixed)
        return m_waiting == m_first.mask ? m_waiting : 0;
    for (unsigned rest = m_waiting; rest != 0; rest &= rest - 1) {
        const WarpOperation& operation = *m_operations[firstLane(rest)];
        if (companions(operation) == operation.mask)
            return operation.mask;
    }
    return 0;
}

unsigned Warp::release()
{
    const unsigned lanes = complete();
    if (lanes != 0 && m_operations[firstLane(lanes)]->exchange != Exchange::None)
        exchange(lanes);
    m_waiting &= ~lanes;
    return lanes;
}

void Warp::exchange(unsigned lanes)
{
    const WarpOperation& operation = *m_operations[firstLane(lanes)];
    const auto width = static_cast<unsigned>(operation.width);
    if (operation.width < 1 || width > maximumSize || !std::has_single_bit(width))
        throw std::logic_error("the shuffle at " + text(operation.place)
                               + " has a width that is no power of two of at most 32.");
    const auto given = m_bits;
    for (unsigned rest = lanes; rest != 0; rest &= rest - 1) {
        const unsigned lane = firstLane(rest);
        const unsigned source = sourceLane(operation, lane, m_arguments[lane]);
        if ((lanes >> source & 1U) == 0)
            throw std::logic_error("the shuffle at " + text(operation.place) + " reads from lane "
                                   + std::to_string(source) + ", which its mask leaves out.");
        m_bits[lane] = given[source];
    }
}

unsigned Warp::missing(unsigned lane) const
{
    const WarpOperation& operation = *m_operations[lane];
    const unsigned absent = operation.mask & ~companions(operation);
    return absent == 0 ? maximumSize : firstLane(absent);
}

} // namespace fullbatch::emulation
