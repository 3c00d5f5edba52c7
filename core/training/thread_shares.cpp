// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/thread_shares.h"

#include <algorithm>

namespace fullbatch {

namespace {

constexpr int runsOfFigure202 = 4;

} // namespace

int mostRunsAtOnce(int cores)
{
    return std::max(runsOfFigure202, cores);
}

std::vector<int> threadShares(int runs, int cores)
{
    if (runs <= 0)
        return {};
    const int threads = std::max(cores, runs);
    std::vector<int> shares(static_cast<std::size_t>(runs), threads / runs);
    for (int run = 0; run < threads % runs; ++run)
        ++shares[static_cast<std::size_t>(run)];
    return shares;
}

} // namespace fullbatch
