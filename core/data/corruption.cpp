// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/corruption.h"

#include "core/data/numpy_random.h"

#include <cmath>
#include <sstream>

namespace fullbatch {

namespace {

void permuteLabels(Split& split, std::uint32_t seed)
{
    const std::vector<std::size_t> order = NumpyRandom(seed).permutation(split.rows());
    const std::vector<std::int32_t> labels = split.labels;
    for (std::size_t row = 0; row < split.rows(); ++row)
        split.labels[row] = labels[order[row]];
}

void randomiseInputs(Split& split, std::uint32_t seed)
{
    const Eigen::MatrixXd values = split.inputs.cast<double>();
    const double mean = values.mean();
    const double deviation = std::sqrt((values.array() - mean).square().mean());
    NumpyRandom random(seed);
    for (float& value : split.inputs.reshaped()) // row by row, as a column is an example
        value = static_cast<float>(random.normal() * deviation + mean);
}

void randomiseLabels(Split& split, double percent, std::int32_t classes, std::uint32_t seed)
{
    NumpyRandom random(seed);
    const std::vector<std::size_t> order = random.permutation(split.rows());
    const auto count =
        static_cast<std::size_t>(std::llround(static_cast<double>(split.rows()) * percent / 100));
    const auto largest = static_cast<std::uint64_t>(classes - 1);
    for (std::size_t i = 0; i < count; ++i)
        split.labels[order[i]] = static_cast<std::int32_t>(random.integer(largest));
}

} // namespace

void corrupt(Dataset& data, const Corruption& corruption)
{
    std::ostringstream done;
    done.imbue(std::locale::classic());
    if (corruption.permutedLabels) {
        permuteLabels(data.train, corruption.seed);
        done << ", permuted labels";
    }
    if (corruption.randomInputs) {
        randomiseInputs(data.train, corruption.seed + 1);
        done << ", random inputs";
    }
    if (corruption.randomLabelPercent > 0) {
        randomiseLabels(data.train, corruption.randomLabelPercent, data.classes,
                        corruption.seed + 2);
        done << ", " << corruption.randomLabelPercent << " % random labels";
    }
    if (!done.str().empty())
        data.source += done.str() + " (seed " + std::to_string(corruption.seed) + ")";
}

} // namespace fullbatch
