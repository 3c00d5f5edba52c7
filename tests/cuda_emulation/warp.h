// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/device_builtins.h"

#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <stdexcept>

namespace fullbatch::emulation {

/// Sets of lanes are bit masks here.
inline unsigned firstLane(unsigned lanes)
{
    return static_cast<unsigned>(std::countr_zero(lanes));
}

/// The lanes of one warp: who has the next turn, and what they do together.
class Warp
{
public:
    static constexpr unsigned maximumSize = 32;

    explicit Warp(unsigned size) : m_size(size) { }
    [[nodiscard]] unsigned size() const { return m_size; }
    [[nodiscard]] unsigned all() const { return m_size == maximumSize ? ~0U : (1U << m_size) - 1; }

    /// Each of these lanes gets one turn.
    void giveTurns(unsigned lanes, ThreadOrder order, std::mt19937_64& random);
    [[nodiscard]] bool hasTurn() const { return m_turn < m_turnCount; }
    unsigned takeTurn() { return m_turns[m_turn++]; }

    /// A lane comes to an operation. The operation must live until the lane is released.
    void arrive(unsigned lane, const WarpOperation& operation, std::uint64_t bits, int argument)
    {
        if (m_waiting == 0) {
            m_first = operation;
            m_mixed = false;
        } else if (!(operation == m_first)) {
            m_mixed = true;
        }
        m_waiting |= 1U << lane;
        m_operations[lane] = &operation;
        m_bits[lane] = bits;
        m_arguments[lane] = argument;
    }
    [[nodiscard]] unsigned waiting() const { return m_waiting; }
    /// For a waiting lane.
    [[nodiscard]] const WarpOperation& operation(unsigned lane) const
    {
        return *m_operations[lane];
    }

    /// Does an operation to which all lanes of its mask have come, and releases them: they are
    /// returned. None where there is no such operation. Throws std::logic_error for a shuffle that
    /// is wrong in itself.
    unsigned release();
    /// What a released lane got from the operation.
    [[nodiscard]] std::uint64_t taken(unsigned lane) const { return m_bits[lane]; }

    /// The first lane that has not come to the operation of this waiting lane; maximumSize when
    /// all have.
    [[nodiscard]] unsigned missing(unsigned lane) const;

private:
    [[nodiscard]] unsigned complete() const;
    [[nodiscard]] unsigned companions(const WarpOperation& operation) const;
    void exchange(unsigned lanes);

    unsigned m_size;
    unsigned m_turn = 0;
    unsigned m_turnCount = 0;
    unsigned m_waiting = 0;
    bool m_mixed = false; ///< not all of them wait for the same
    WarpOperation m_first; ///< what the first of them waits for
    std::array<std::uint8_t, maximumSize> m_turns{};
    std::array<const WarpOperation*, maximumSize> m_operations{};
    std::array<std::uint64_t, maximumSize> m_bits{}; ///< given, then taken
    std::array<int, maximumSize> m_arguments{};
};

/// "loss_kernel.cu:88"
std::string text(SourcePlace place);

} // namespace fullbatch::emulation
