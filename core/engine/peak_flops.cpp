// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/peak_flops.h"

#include "core/engine/cpu/thread_team.h"
#include "core/engine/cpu/tile_kernels.h"

#include <algorithm>
#include <chrono>
#include <vector>

namespace fullbatch {

double measurePeakGflops(int threads)
{
    using Clock = std::chrono::steady_clock;
    constexpr double roundSeconds = 0.01;
    constexpr int rounds = 8;

    const TileKernels& kernels = tileKernels();
    ThreadTeam team(threads > 0 ? threads : usableCores());
    struct alignas(64) Result
    {
        float value = 0;
        double flops = 0;
    };
    std::vector<Result> results(static_cast<std::size_t>(team.size()));
    const auto timedRound = [&](std::int64_t repeats) {
        const auto began = Clock::now();
        team.run([&](int member) {
            Result& result = results[static_cast<std::size_t>(member)];
            result.flops = kernels.peakLoop(repeats, result.value);
        });
        return std::chrono::duration<double>(Clock::now() - began).count();
    };

    std::int64_t repeats = 10'000;
    while (timedRound(repeats) < roundSeconds)
        repeats *= 2;
    double best = 0;
    for (int round = 0; round < rounds; ++round) {
        const double seconds = timedRound(repeats);
        double flops = 0;
        for (const Result& result : results)
            flops += result.flops;
        best = std::max(best, flops / seconds * 1e-9);
    }
    return best;
}

} // namespace fullbatch
