// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/network_shape.h"

#include <cstdint>
#include <string>

namespace fullbatch {

/// What a run is expected to need, computed from the shape before anything is allocated.
struct CostEstimate
{
    std::int64_t parameters = 0;
    double flopsPerEpoch = 0;
    double memoryBytes =
        0; ///< engine with its gradients and tiles, the log of all epochs, the data
};

[[nodiscard]] CostEstimate estimateCost(const NetworkShape& shape, std::int64_t rows,
                                        std::int64_t epochs, int threads);

/// Memory this process could still take, in bytes (the system's estimate and the limits set on the
/// process); infinity where the system does not say.
[[nodiscard]] double availableMemoryBytes();

/// Empty, or one sentence with needed and available memory when `cost` does not fit.
[[nodiscard]] std::string memoryProblem(const CostEstimate& cost, double availableBytes);

} // namespace fullbatch
