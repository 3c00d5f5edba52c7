// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>

namespace fullbatch {

/// The machine's float32 peak as it is now: independent multiply-adds in the widest vectors that
/// the CPU engine uses, on several threads at once, without memory traffic. It is what an engine's
/// share of the peak refers to. Clocks vary with the load and from moment to moment, so rounds are
/// taken in turns with what is measured. One thread at a time uses it.
class PeakLoop
{
public:
    explicit PeakLoop(int threads); ///< 0: every usable core. Takes some milliseconds.
    ~PeakLoop();
    PeakLoop(const PeakLoop&) = delete;
    PeakLoop& operator=(const PeakLoop&) = delete;

    /// GFLOP/s of one round of about a millisecond.
    [[nodiscard]] double round();

private:
    class Members;
    std::unique_ptr<Members> m_members;
    std::int64_t m_repeats = 0; // of the loop in a round
};

} // namespace fullbatch
