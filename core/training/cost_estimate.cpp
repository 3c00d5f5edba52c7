// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/cost_estimate.h"

#include "core/training/metrics_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

namespace fullbatch {

namespace {

constexpr double gibibyte = 1024.0 * 1024 * 1024;
constexpr double floatBytes = sizeof(float);
// What a CPU engine holds besides the partial gradients: start, current and last finite parameters,
// gradient, velocity.
constexpr double parameterCopies = 5;
// Partial gradients: many for small networks, bounded in sum for large ones, never less than two.
constexpr double mostPartialGradients = 32;
constexpr double partialGradientBytes = 64.0 * 1024 * 1024;
// Samples that a thread takes through the network at once, with activations and their gradients.
constexpr double tileRows = 256;
// Data set and the engine's own padded copy.
constexpr double dataCopies = 2;

int threadCount(int threads)
{
    return threads > 0 ? threads
                       : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

std::string gibibytes(double bytes)
{
    const double value = bytes / gibibyte;
    if (value >= 1e6)
        return fmt::format("{:.2g} GiB", value);
    return value < 10 ? fmt::format("{:.2f} GiB", value) : fmt::format("{:.0f} GiB", value);
}

} // namespace

CostEstimate estimateCost(const NetworkShape& shape, std::int64_t rows, std::int64_t epochs,
                          int threads)
{
    CostEstimate cost;
    cost.parameters = shape.parameterCount();
    cost.flopsPerEpoch = shape.flopsPerEpoch(rows);

    const double oneCopy = static_cast<double>(cost.parameters) * floatBytes;
    const double partials =
        std::clamp(partialGradientBytes / oneCopy, 2.0, mostPartialGradients) * oneCopy;
    double activations = static_cast<double>(shape.inputs());
    for (const Layer& layer : shape.layers())
        activations += 2 * static_cast<double>(layer.outputs);
    const double tiles = activations * tileRows * floatBytes * threadCount(threads);
    const double data =
        static_cast<double>(rows) * static_cast<double>(shape.inputs() + 1) * floatBytes;
    const double log = static_cast<double>(epochs) * sizeof(EpochMetrics);
    cost.memoryBytes = parameterCopies * oneCopy + partials + tiles + dataCopies * data + log;
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
