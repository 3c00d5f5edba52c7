// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace fullbatch {

/// Whether the engine of this id computes on a graphics card: "gpu", "gpu:1". Such a run needs one
/// core, whatever the number of threads asked for.
[[nodiscard]] bool isGpu(std::string_view engineId);

/// Which of several devices each of `runs` runs goes to, an index each: to the one with the fewest
/// runs by then, of those the earliest. `busy`: how many runs each device has now, in the order of
/// preference; not empty.
[[nodiscard]] std::vector<std::size_t> deviceShares(int runs, std::vector<int> busy);

} // namespace fullbatch
