// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reference_engine.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

#include <algorithm>
#include <array>

namespace fullbatch {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t randomStarts = 2; // a sanitizer looks at the accesses, not at the numbers
#else
constexpr std::size_t randomStarts = 20;
#endif
constexpr double kinkMargin = 1e-5; // of a layer's scale
constexpr std::array<std::size_t, 4> batches = {1, 31, 257, 4000};

/// The same problem for the float64 reference.
std::unique_ptr<TrainingEngine> referenceFor(TrainingProblem problem)
{
    problem.precision = Precision::Fp64;
    return makeReferenceEngine(problem);
}

/// The engine's gradient against the reference's from 20 random starts, for every batch size.
CheckResult gradientNearReference(const EngineChoice& choice, Precision precision,
                                  const std::vector<std::int64_t>& sizes)
{
    const TrainingProblem problem = randomProblem(sizes, batches.back(), precision);
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    const std::unique_ptr<TrainingEngine> reference = referenceFor(problem);
    Worst worst;
    for (std::uint64_t start = 0; start < randomStarts; ++start) {
        const Parameters parameters = randomParameters(problem.initial.shape(), 100 + start);
        const std::vector<std::uint32_t> usable =
            rowsAwayFromKinks(parameters, problem.data->train, kinkMargin);
        for (const std::size_t batch : batches) {
            const auto rows = std::span(usable).first(std::min(batch, usable.size()));
            if (rows.empty())
                continue;
            const Parameters gradient = engine->gradientAt(parameters, rows);
            const Parameters expected = reference->gradientAt(parameters, rows);
            worst.add(normalisedDifference(gradient.values(), expected.values()),
                      std::to_string(rows.size()) + " rows, start " + std::to_string(start));
        }
    }
    return worst.result(passBar(precision));
}

/// No rows named means all of them.
CheckResult emptyRowsAreAllRows(const EngineChoice& choice, Precision precision)
{
    const TrainingProblem problem = randomProblem({40, 63, 63, 10}, 257, precision);
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    std::vector<std::uint32_t> all(257);
    for (std::uint32_t row = 0; row < all.size(); ++row)
        all[row] = row;
    Worst worst;
    worst.add(normalisedDifference(engine->gradientAt(problem.initial, {}).values(),
                                   engine->gradientAt(problem.initial, all).values()),
              "40-63-63-10, 257 rows");
    return worst.result(passBar(precision));
}

} // namespace

std::vector<EngineCheck> gradientChecks()
{
    const std::vector<std::vector<std::int64_t>> networks = {
        {1, 1, 1},    {3, 16, 2},    {7, 13, 5, 3}, {40, 63, 63, 10},
        {40, 10},     {40, 1, 10},   {40, 3, 10},   {40, 64, 10},
        {40, 75, 10}, {40, 100, 10}, {40, 298, 10}, {5, 17, 130, 33, 4}};
    std::vector<EngineCheck> checks;
    checks.reserve(networks.size() + 1);
    for (const auto& sizes : networks) {
        checks.push_back({"gradient near reference, " + shapeOf(sizes).text(),
                          [sizes](const EngineChoice& choice, Precision precision) {
                              return gradientNearReference(choice, precision, sizes);
                          }});
    }
    checks.push_back({"no rows named means all rows", emptyRowsAreAllRows});
    return checks;
}

} // namespace fullbatch
