// SPDX-License-Identifier: GPL-3.0-or-later
// Measures the GPU engine on the first device: the four networks of figure 20.2 in each precision,
// the kernels of one epoch, and whether two runs are equal bit for bit. Prints lines of fields
// between tabs, for check_on_device.sh:
//   device  NAME  CAPABILITY  DRIVER  RUNTIME  CUBLASLT
//   epoch   NETWORK  PRECISION  MICROSECONDS  FASTEST  KERNELS  same|different  HOW IT IS LAUNCHED
//   kernel  NETWORK  PRECISION  COUNT  NAME
//   failure NETWORK  PRECISION  WHY IT WAS NOT MEASURED
// With "short" only a few epochs of the smallest and the deepest network, for a sanitizer.
#include "core/data/mnist1d.h"
#include "core/engine/precision_names.h"
#include "core/network/initialisation.h"
#include "gpu/arithmetic.h"
#include "gpu/device_report.h"
#include "gpu/gpu_engine.h"
#include "tests/core/engine/comparison.h"
#include "tests/gpu/real/graph_kernels.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <map>
#include <string>
#include <string_view>

namespace {

using namespace fullbatch;

constexpr double learningRate = 0.0025;
constexpr std::size_t warmUpEpochs = 200;
constexpr std::size_t timedChunks = 7;
constexpr std::size_t chunkEpochs = 1000;
constexpr std::size_t comparedEpochs = 500;
constexpr std::size_t shortEpochs = 4;

struct Network
{
    const char* name;
    std::vector<std::int64_t> widths;
};

const std::vector<Network>& networks()
{
    static const std::vector<Network> all = {{"1 x 298", {298}},
                                             {"2 x 100", {100, 100}},
                                             {"3 x 75", {75, 75, 75}},
                                             {"4 x 63", {63, 63, 63, 63}}};
    return all;
}

TrainingProblem problemOf(const Network& network, Precision precision,
                          const std::shared_ptr<const Dataset>& data)
{
    TrainingProblem problem;
    problem.data = data;
    const NetworkShape shape = NetworkShape::mlp(data->features(), network.widths, data->classes);
    problem.initial = initialParameters(shape, 1);
    problem.precision = precision;
    return problem;
}

std::vector<EpochMetrics> train(TrainingEngine& engine, std::size_t epochs)
{
    const std::vector<double> rates(epochs, learningRate);
    std::vector<EpochMetrics> records(epochs);
    TrainingPlan plan;
    plan.learningRates = rates;
    records.resize(engine.train(plan, records, {}));
    return records;
}

/// Seconds of an epoch in each of some chunks, the shortest first.
std::vector<double> timeEpochs(TrainingEngine& engine)
{
    (void)train(engine, warmUpEpochs);
    std::vector<double> seconds;
    for (std::size_t chunk = 0; chunk < timedChunks; ++chunk) {
        const auto begin = std::chrono::steady_clock::now();
        const std::size_t done = train(engine, chunkEpochs).size();
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
        seconds.push_back(took.count() / static_cast<double>(std::max<std::size_t>(done, 1)));
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds;
}

bool repeatsItself(const TrainingProblem& problem)
{
    const auto first = makeGpuEngine(0, problem);
    const auto second = makeGpuEngine(0, problem);
    return differentBits(train(*first, comparedEpochs), train(*second, comparedEpochs)) == 0
        && differentBits(first->state(), second->state()) == 0;
}

void printKernels(const Network& network, std::string_view precision,
                  const std::vector<std::string>& names)
{
    std::map<std::string, int> counts;
    for (const std::string& name : names)
        ++counts[name];
    for (const auto& [name, count] : counts)
        std::printf("kernel\t%s\t%s\t%d\t%s\n", network.name, precision.data(), count,
                    name.c_str());
}

void measure(const Network& network, Precision precision,
             const std::shared_ptr<const Dataset>& data)
{
    const TrainingProblem problem = problemOf(network, precision, data);
    const std::string name(precisionName(precision));
    const auto engine = makeGpuEngine(0, problem);
    const std::vector<double> seconds = timeEpochs(*engine);
    const cudaGraph_t graph = epochGraph(*engine);
    const std::vector<std::string> nodes =
        graph == nullptr ? std::vector<std::string>{} : nodeNames(graph);
    std::printf("epoch\t%s\t%s\t%.2f\t%.2f\t%zu\t%s\t%s\n", network.name, name.c_str(),
                1e6 * seconds[seconds.size() / 2], 1e6 * seconds.front(), nodes.size(),
                repeatsItself(problem) ? "same" : "different", launchText(*engine).c_str());
    printKernels(network, name, nodes);
    std::fflush(stdout);
}

int run(bool shortly)
{
    const GpuReport report = reportDevices();
    if (report.devices.empty()) {
        std::printf("%s %s\n", report.unusable.c_str(), report.remedy.c_str());
        return 77;
    }
    const GpuDevice& device = report.devices.front();
    if (!device.unusable.empty()) {
        std::printf("%s %s\n", device.unusable.c_str(), device.remedy.c_str());
        return 1;
    }
    std::printf("device\t%s\t%d.%d\t%d\t%d\t%zu\n", device.name.c_str(), device.computeMajor,
                device.computeMinor, report.driverVersion, report.runtimeVersion,
                report.cublasLtVersion);
    const auto data = std::make_shared<const Dataset>(generateMnist1d());
    int failures = 0;
    for (const Precision precision : gpuPrecisions) {
        for (const Network& network : networks()) {
            try {
                if (!shortly)
                    measure(network, precision, data);
                else if (network.widths.size() == 1 || network.widths.size() == 4)
                    (void)train(*makeGpuEngine(0, problemOf(network, precision, data)),
                                shortEpochs);
            } catch (const std::exception& error) { // the others may be measured all the same
                std::printf("failure\t%s\t%s\t%s\n", network.name,
                            std::string(precisionName(precision)).c_str(), error.what());
                ++failures;
            }
        }
    }
    return failures == 0 ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
    try {
        return run(argc > 1 && std::string_view(argv[1]) == "short");
    } catch (const std::exception& error) {
        std::printf("%s\n", error.what());
        return 1;
    }
}
