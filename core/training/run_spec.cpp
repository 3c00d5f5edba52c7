// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/run_spec.h"

#include "core/engine/precision_names.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace fullbatch {

namespace {

constexpr int maximumThreads = 1024;
constexpr double maximumParameters = 0x1p60; // as float64 they fill the whole address space

std::string dataProblem(const DataSpec& data)
{
    const auto isHexDigit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    if (!data.sha256.empty()
        && (data.sha256.size() != 64
            || !std::all_of(data.sha256.begin(), data.sha256.end(), isHexDigit)))
        return fmt::format(
            "The SHA-256 of the data must be 64 digits 0-9 and a-f, or empty, but is \"{}\".",
            data.sha256);
    return data.file.empty() ? problem(data.recipe) : std::string();
}

std::string widthsProblem(const std::vector<std::int64_t>& widths)
{
    double parameters = 0;
    for (std::size_t layer = 0; layer < widths.size(); ++layer) {
        if (widths[layer] < 1)
            return fmt::format("Hidden layer {} has width {}, but a width must be at least 1.",
                               layer + 1, widths[layer]);
        const double inputs = layer == 0 ? 1 : static_cast<double>(widths[layer - 1]);
        parameters += (inputs + 1) * static_cast<double>(widths[layer]);
        if (parameters > maximumParameters)
            return fmt::format(
                "Hidden layer {} with width {} makes the network larger than any memory; "
                "a network must have fewer than 2^60 parameters.",
                layer + 1, widths[layer]);
    }
    return {};
}

std::string batchSizeProblem(std::int64_t batchSize)
{
    if (batchSize == 0)
        return {};
    if (batchSize < 0)
        return fmt::format("The batch size is {}, but it must be 0, which means full batch.",
                           batchSize);
    return fmt::format("The batch size is {}, but mini-batches are not trained yet; only full "
                       "batch (0) is available today.",
                       batchSize);
}

std::string precisionProblem(Precision precision)
{
    if (!precisionName(precision).empty())
        return {};
    return fmt::format("The precision must be one of {}.", precisionNames());
}

/// Collects the sentences of fields whose check failed.
class ProblemList
{
public:
    void add(Field field, std::string message)
    {
        if (!message.empty())
            m_problems.push_back({field, std::move(message)});
    }
    template <typename... Values>
    void require(bool fulfilled, Field field, fmt::format_string<Values...> message,
                 Values&&... values)
    {
        if (!fulfilled)
            add(field, fmt::format(message, std::forward<Values>(values)...));
    }
    std::vector<FieldProblem> take() { return std::move(m_problems); }

private:
    std::vector<FieldProblem> m_problems;
};

} // namespace

std::vector<FieldProblem> problems(const RunSpec& spec)
{
    ProblemList list;
    list.add(Field::Data, dataProblem(spec.data));
    list.add(Field::HiddenWidths, widthsProblem(spec.hiddenWidths));
    list.require(spec.initialisation == "he-uniform", Field::Initialisation,
                 "The initialisation is \"{}\", but only \"he-uniform\" is known.",
                 spec.initialisation);
    const bool doubles = spec.precision == Precision::Fp64;
    const bool infinite = std::isinf(spec.learningRate) && spec.learningRate > 0;
    list.require(!infinite, Field::LearningRate,
                 "The learning rate is too large; it must be a number above 0 and at most {}, such "
                 "as 0.0025.",
                 doubles ? "1.8e+308" : "3.4e+38");
    list.require(infinite || (std::isfinite(spec.learningRate) && spec.learningRate > 0),
                 Field::LearningRate,
                 "The learning rate is {}, but it must be a finite number above 0, such as 0.0025.",
                 spec.learningRate);
    // Below, a step would be none at all; above, it would be infinite.
    list.require(doubles || !(spec.learningRate > 0) || !std::isfinite(spec.learningRate)
                     || (spec.learningRate >= std::numeric_limits<float>::min()
                         && spec.learningRate <= std::numeric_limits<float>::max()),
                 Field::LearningRate,
                 "The learning rate is {}, but in float32 it must be from 1.2e-38 to 3.4e+38.",
                 spec.learningRate);
    list.require(spec.momentum >= 0 && spec.momentum < 1, Field::Momentum,
                 "The momentum is {}, but it must be at least 0 and less than 1.", spec.momentum);
    list.add(Field::BatchSize, batchSizeProblem(spec.batchSize));
    list.require(spec.epochs >= 1 && spec.epochs <= RunSpec::maximumEpochs, Field::Epochs,
                 "The number of epochs is {}, but it must be from 1 to 1,000,000,000.",
                 spec.epochs);
    list.require(spec.seed <= std::numeric_limits<std::uint32_t>::max(), Field::Seed,
                 "The seed is {}, but it must be from 0 to 4,294,967,295.", spec.seed);
    list.require(!spec.engine.empty(), Field::Engine,
                 "No engine is named; it must be one of the engine list, such as cpu.");
    list.add(Field::Precision, precisionProblem(spec.precision));
    list.require(spec.threads >= 0 && spec.threads <= maximumThreads, Field::Threads,
                 "The number of threads is {}, but it must be from 1 to {}, or 0 for every core.",
                 spec.threads, maximumThreads);
    list.require(spec.testEvery >= 0, Field::TestEvery,
                 "The test split is to be evaluated every {} epochs, but the number must be at "
                 "least 1, or 0 for never.",
                 spec.testEvery);
    list.require(spec.stopAfterZeroErrorEpochs >= 0, Field::StopAfterZeroErrorEpochs,
                 "Training is to stop after {} epochs without an error, but the number must be at "
                 "least 1, or 0 to go on.",
                 spec.stopAfterZeroErrorEpochs);
    list.require(std::isfinite(spec.stopAfterSeconds) && spec.stopAfterSeconds >= 0,
                 Field::StopAfterSeconds,
                 "The time limit is {} seconds, but it must be a finite number above 0, or 0 for "
                 "no limit.",
                 spec.stopAfterSeconds);
    return list.take();
}

NetworkShape networkShape(const RunSpec& spec, std::int64_t features, std::int64_t classes)
{
    return NetworkShape::mlp(features, spec.hiddenWidths, classes);
}

} // namespace fullbatch
