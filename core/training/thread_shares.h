// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace fullbatch {

/// How many runs may train at once on `cores` cores: the four of figure 20.2 always, more where
/// each still gets a core of its own.
[[nodiscard]] int mostRunsAtOnce(int cores);

/// How many threads each of `runs` runs gets on `cores` cores, in the order of the runs: at least
/// one each; what does not divide evenly goes to the earlier ones. Together max(cores, runs).
[[nodiscard]] std::vector<int> threadShares(int runs, int cores);

} // namespace fullbatch
