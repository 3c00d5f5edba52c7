// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/run_spec.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace fullbatch {

/// What a run is expected to need, computed from the shape before anything is allocated.
struct CostEstimate
{
    std::int64_t parameters = 0;
    double flopsPerEpoch = 0;
    double memoryBytes = 0; ///< engine with gradients and tiles, log of all epochs, data
};

/// Floating-point operations of an epoch over `rows` training rows. With mini-batches the record is
/// measured by a forward pass over all rows after the epoch (see EpochMetrics).
[[nodiscard]] double flopsPerEpoch(const NetworkShape& shape, std::int64_t rows,
                                   const Batches& batches);

/// `threads` as in RunSpec: 0 means every core.
[[nodiscard]] CostEstimate estimateCost(const NetworkShape& shape, std::int64_t rows,
                                        std::int64_t epochs, int threads, const Batches& batches);

/// Memory this process could still take, in bytes: the least of the system's own estimate, the
/// limits of its control groups (versions 1 and 2) and the limit on its address space; infinity
/// where nothing is said. `systemRoot` is where /proc and /sys are looked for.
[[nodiscard]] double availableMemoryBytes(const std::filesystem::path& systemRoot = "/");

/// Empty, or one sentence with needed and available memory when `cost` does not fit.
[[nodiscard]] std::string memoryProblem(const CostEstimate& cost, double availableBytes);

} // namespace fullbatch
