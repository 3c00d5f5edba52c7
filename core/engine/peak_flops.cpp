// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/peak_flops.h"

#include "core/engine/cpu/thread_team.h"
#include "core/engine/cpu/tile_kernels.h"

#include <algorithm>
#include <chrono>
#include <numeric>
#include <vector>

namespace fullbatch {

class PeakLoop::Members
{
public:
    explicit Members(int threads)
        : m_team(threads > 0 ? threads : usableCores()),
          m_results(static_cast<std::size_t>(m_team.size()))
    {
    }

    /// How long the loop takes on all threads, and how many operations it was.
    struct Round
    {
        double seconds = 0;
        double flops = 0;
    };
    Round run(std::int64_t repeats)
    {
        using Clock = std::chrono::steady_clock;
        const auto began = Clock::now();
        m_team.run([&](int member) {
            Result& result = m_results[static_cast<std::size_t>(member)];
            result.flops = tileKernels().peakLoop(repeats, result.value);
        });
        const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
        return {seconds,
                std::accumulate(
                    m_results.begin(), m_results.end(), 0.0,
                    [](double flops, const Result& result) { return flops + result.flops; })};
    }

private:
    struct alignas(64) Result // a cache line each
    {
        float value = 0;
        double flops = 0;
    };
    ThreadTeam m_team;
    std::vector<Result> m_results;
};

PeakLoop::PeakLoop(int threads) : m_members(std::make_unique<Members>(threads))
{
    constexpr double roundSeconds = 0.001;
    constexpr std::int64_t probe = 10'000; // a tenth of a millisecond or so
    constexpr int probes = 10; // one alone may wait for a processor and leave a round too short
    double seconds = m_members->run(probe).seconds;
    for (int i = 1; i < probes; ++i)
        seconds = std::min(seconds, m_members->run(probe).seconds);
    m_repeats = static_cast<std::int64_t>(probe * roundSeconds / seconds) + 1;
}

PeakLoop::~PeakLoop() = default;

double PeakLoop::round()
{
    // The threads wake up, and those of the engine before go to sleep, outside the measurement.
    static_cast<void>(m_members->run(m_repeats / 2));
    const Members::Round round = m_members->run(m_repeats);
    return round.flops / round.seconds * 1e-9;
}

} // namespace fullbatch
