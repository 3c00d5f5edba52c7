// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/epoch_timing.h"

#include "core/training/cost_estimate.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace fullbatch {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t warmUpEpochs = 3;
constexpr std::size_t fewestEpochs = 5;
constexpr double secondsBetweenPeaks = 0.005;

double secondsSince(Clock::time_point start)
{
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// The value that `share` of the sorted values do not exceed.
double quantile(const std::vector<double>& sorted, double share)
{
    const auto place = static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1));
    return sorted[place];
}

EpochTiming summary(std::vector<double> times, std::vector<double> peaks, double flops)
{
    EpochTiming timing;
    timing.epochs = times.size();
    if (times.empty())
        return timing;
    std::sort(times.begin(), times.end());
    timing.medianSeconds = quantile(times, 0.5);
    timing.minimumSeconds = times.front();
    timing.upperQuartileSeconds = quantile(times, 0.75);
    timing.gflops = flops / timing.medianSeconds / 1e9;
    if (!peaks.empty()) {
        std::sort(peaks.begin(), peaks.end());
        timing.peakGflops = quantile(peaks, 0.5);
        timing.highestPeakGflops = peaks.back();
    }
    return timing;
}

} // namespace

EpochTiming timeEpochs(const EngineChoice& choice, const TrainingProblem& problem,
                       double learningRate, const Batches& batches, double seconds, PeakLoop* peak)
{
    const std::unique_ptr<TrainingEngine> engine = choice.create(problem);
    const std::vector<double> rates = {learningRate};
    std::vector<EpochMetrics> record(1);
    TrainingPlan plan;
    plan.learningRates = rates;
    plan.batchSize = static_cast<std::size_t>(batches.size);
    plan.dropLast = batches.dropLast;
    const auto trainOne = [&] { return engine->train(plan, record, {}); };

    for (std::size_t epoch = 0; epoch < warmUpEpochs; ++epoch)
        static_cast<void>(trainOne());

    const auto rows = static_cast<std::int64_t>(problem.data->train.rows());
    std::vector<double> times;
    std::vector<double> peaks;
    const auto began = Clock::now();
    double sincePeak = 0;
    while (times.size() < fewestEpochs || secondsSince(began) < seconds) {
        const auto start = Clock::now();
        if (trainOne() != 1 || !std::isfinite(record[0].loss))
            break;
        times.push_back(secondsSince(start));
        sincePeak += times.back();
        if (peak != nullptr && sincePeak > secondsBetweenPeaks) {
            peaks.push_back(peak->round());
            sincePeak = 0;
        }
    }
    if (peak != nullptr && peaks.empty()) // a few tiny epochs
        peaks.push_back(peak->round());
    return summary(std::move(times), std::move(peaks),
                   flopsPerEpoch(problem.initial.shape(), rows, batches));
}

} // namespace fullbatch
