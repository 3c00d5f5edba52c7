// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/engine/allocation_count.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

namespace fullbatch {

namespace {

/// Allocations of 20 more epochs within one call, once everything is in place.
CheckResult epochsAllocateNothing(const EngineChoice& choice, Precision precision)
{
    constexpr std::size_t rows = 1003;
    Worst worst;
    for (const std::vector<std::int64_t>& sizes :
         {std::vector<std::int64_t>{40, 63, 63, 10}, {40, 298, 10}, {40, 10}, {40, 700, 600, 10}}) {
        const TrainingProblem problem = randomProblem(sizes, rows, precision, {0.9});
        const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
        const std::vector<double> rates(22, 0.001);
        const std::vector<std::uint32_t> order = shuffledOrder(rows, 22);
        std::vector<EpochMetrics> records(22);
        for (const std::size_t batchSize : {rows, std::size_t{100}}) {
            const auto allocations = [&](std::size_t epochs) {
                const std::size_t before = allocationCount();
                engine->train({std::span(rates).first(epochs), batchSize,
                               std::span(order).first(epochs * rows)},
                              std::span(records).first(epochs), {});
                return static_cast<double>(allocationCount() - before);
            };
            (void)allocations(2);
            const double few = allocations(2);
            worst.add(allocations(22) - few,
                      problem.initial.shape().text() + ", batches of " + std::to_string(batchSize));
        }
    }
    return worst.result(0);
}

} // namespace

EngineCheck allocationCheck()
{
    return {"an epoch allocates nothing", epochsAllocateNothing};
}

} // namespace fullbatch
