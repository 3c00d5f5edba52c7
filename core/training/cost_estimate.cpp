// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/cost_estimate.h"

#include "core/engine/cpu/thread_team.h"
#include "core/engine/cpu/tiling.h"
#include "core/training/metrics_log.h"

#include <fmt/format.h>

#include <algorithm>

namespace fullbatch {

namespace {

constexpr double gibibyte = 1024.0 * 1024 * 1024;
constexpr double floatBytes = sizeof(float);
// What is held beside the partial gradients: the start (by the caller and by the engine), two
// positions of parameters and velocity, the mean gradient, the weights as the kernels want them,
// the last copy in case of a failure and a new one in the making; with mini-batches also where the
// epoch began.
constexpr double parameterCopies = 12;

double engineBytes(const NetworkShape& shape, std::int64_t parameters, int threads)
{
    const Tiling tiling(shape);
    const double copies = parameterCopies + static_cast<double>(tiling.maximumGroups());
    double valuesPerRow = static_cast<double>(shape.inputs());
    double widest = 0;
    for (const Layer& layer : shape.denseLayers()) {
        valuesPerRow += static_cast<double>(layer.outputs);
        widest = std::max(widest, static_cast<double>(layer.outputs));
    }
    const double tile =
        (valuesPerRow + 2 * widest) * static_cast<double>(tiling.tileRows()) * floatBytes;
    const double tiles = std::min(static_cast<double>(threads > 0 ? threads : usableCores()),
                                  static_cast<double>(tiling.maximumGroups()));
    return copies * static_cast<double>(parameters) * floatBytes + tiles * tile;
}

std::string gibibytes(double bytes)
{
    const double value = bytes / gibibyte;
    if (value >= 1e6)
        return fmt::format("{:.2g} GiB", value);
    return value < 10 ? fmt::format("{:.2f} GiB", value) : fmt::format("{:.1f} GiB", value);
}

} // namespace

double flopsPerEpoch(const NetworkShape& shape, std::int64_t rows, const Batches& batches)
{
    if (batches.size == 0 || batches.size >= rows)
        return shape.flopsPerEpoch(rows);
    const std::int64_t used = batches.dropLast ? rows / batches.size * batches.size : rows;
    return shape.flopsPerEpoch(used) + shape.forwardFlops(rows);
}

CostEstimate estimateCost(const NetworkShape& shape, std::int64_t rows, std::int64_t epochs,
                          int threads, const Batches& batches)
{
    CostEstimate cost;
    cost.parameters = shape.parameterCount();
    cost.flopsPerEpoch = flopsPerEpoch(shape, rows, batches);

    const double data =
        static_cast<double>(rows) * static_cast<double>(shape.inputs() + 1) * floatBytes;
    const double log = static_cast<double>(epochs) * sizeof(EpochMetrics);
    cost.memoryBytes = engineBytes(shape, cost.parameters, threads) + data + log;
    return cost;
}

std::string memoryProblem(const CostEstimate& cost, double availableBytes)
{
    if (cost.memoryBytes <= availableBytes)
        return {};
    return fmt::format("The run needs about {} of memory, but only {} are available; narrower or "
                       "fewer layers, or fewer epochs, need less.",
                       gibibytes(cost.memoryBytes), gibibytes(std::max(0.0, availableBytes)));
}

} // namespace fullbatch
