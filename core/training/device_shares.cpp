// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/device_shares.h"

#include <algorithm>

namespace fullbatch {

bool isGpu(std::string_view engineId)
{
    return engineId == "gpu" || engineId.starts_with("gpu:");
}

std::vector<std::size_t> deviceShares(int runs, std::vector<int> busy)
{
    std::vector<std::size_t> shares;
    for (int run = 0; run < runs; ++run) {
        const auto device = std::min_element(busy.begin(), busy.end());
        ++*device;
        shares.push_back(static_cast<std::size_t>(device - busy.begin()));
    }
    return shares;
}

} // namespace fullbatch
