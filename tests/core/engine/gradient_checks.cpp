// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reference_engine.h"
#include "core/engine/rounding.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fullbatch {

namespace {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr std::size_t randomStarts = 2; // a sanitizer looks at the accesses, not at the numbers
#else
constexpr std::size_t randomStarts = 20;
#endif
constexpr std::array<std::size_t, 4> batches = {1, 31, 257, 4000};

/// How near to zero a hidden pre-activation may lie, in parts of its layer's scale. Rounding what a
/// layer reads to 11 digits (tf32, fp16) or 8 (bf16) moves pre-activations by up to this, and a
/// ReLU on the other side is no error of a sum, which is what is measured here.
double kinkMargin(Precision precision)
{
    if (!roundsInputs(precision))
        return 1e-5;
    return precision == Precision::Bf16 ? 2e-2 : 5e-3;
}

/// The same problem for the float64 reference.
std::unique_ptr<TrainingEngine> referenceFor(TrainingProblem problem)
{
    problem.precision = Precision::Fp64;
    return makeReferenceEngine(problem);
}

double norm(const Parameters& gradient)
{
    double squares = 0;
    for (const double value : gradient.values())
        squares += value * value;
    return std::sqrt(squares);
}

/// For precisions that round what a product reads: how much smaller the mean gradient of a few rows
/// is than if the rows' gradients had random directions; 1 when it is not. What rounding does to
/// each row is not undone where rows cancel, so the difference of a mean is measured relative to
/// what it would be without that luck. (Needed by one start of 3-16-2 in tf32 and fp16: 2.07e-3.)
double cancellation(TrainingEngine& reference, const Parameters& parameters,
                    std::span<const std::uint32_t> rows, const Parameters& mean)
{
    constexpr std::size_t few = 31; // more rows hardly cancel beyond chance
    if (rows.size() > few)
        return 1;
    double squares = 0;
    for (std::size_t i = 0; i < rows.size(); ++i)
        squares += std::pow(norm(reference.gradientAt(parameters, rows.subspan(i, 1))), 2);
    const double byChance = std::sqrt(squares) / static_cast<double>(rows.size());
    return std::max(1.0, byChance / norm(mean));
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
            rowsAwayFromKinks(parameters, problem.data->train, kinkMargin(precision));
        for (const std::size_t batch : batches) {
            const auto rows = std::span(usable).first(std::min(batch, usable.size()));
            if (rows.empty())
                continue;
            const Parameters gradient = engine->gradientAt(parameters, rows);
            const Parameters expected = reference->gradientAt(parameters, rows);
            double difference = normalisedDifference(gradient.values(), expected.values());
            if (roundsInputs(precision))
                difference /= cancellation(*reference, parameters, rows, expected);
            worst.add(difference,
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
