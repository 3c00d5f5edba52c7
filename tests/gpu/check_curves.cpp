// SPDX-License-Identifier: GPL-3.0-or-later
// The four networks of figure 20.2 against the curves that PyTorch computed from the same start.
#include "core/data/mnist1d.h"
#include "core/network/initialisation.h"
#include "tests/core/engine/torch_curve.h"
#include "tests/gpu/check_list.h"
#include "tests/shared_data.h"

#include <cmath>
#include <cstdio>

using namespace fullbatch;

namespace {

constexpr double learningRate = 0.0025;
constexpr std::size_t testEvery = 50;

/// All that the files have, or what the emulation does in some seconds.
std::size_t epochs()
{
    return onDevice() ? 2000 : 100;
}

// As for the CPU engine, whose test says where they come from.
constexpr double lossBar = 2e-6;
constexpr double trainErrorBar = 0.1;
constexpr double testErrorBar = 0.2;

std::vector<CurvePoint> train(const std::vector<std::int64_t>& hidden)
{
    static const auto data = std::make_shared<const Dataset>(generateMnist1d());
    TrainingProblem problem;
    problem.data = data;
    problem.initial = initialParameters(NetworkShape::mlp(40, hidden, 10), 1);
    const std::unique_ptr<TrainingEngine> engine = gpuChoice().create(problem);
    std::vector<CurvePoint> curve;
    for (std::size_t epoch = 0; epoch < epochs(); epoch += testEvery) {
        const Evaluation test = engine->evaluate(SplitName::Test);
        const std::vector<double> rates(testEvery, learningRate);
        std::vector<EpochMetrics> records(testEvery);
        engine->train({rates, 0, {}}, records, {});
        for (const EpochMetrics& record : records) {
            curve.push_back(
                {100.0 * record.wrongRows / 4000, record.loss, std::nan(""), std::nan("")});
        }
        curve[epoch].testErrorPercent = 100.0 * test.wrongRows / 1000;
        curve[epoch].testLoss = test.loss;
    }
    return curve;
}

void nearTorch(std::int64_t width, std::size_t depth, Findings& findings)
{
    const auto file = sharedFile("oracle/torch-f32-h" + std::to_string(width) + "-d"
                                 + std::to_string(depth) + "-seed1.csv");
    const CurveDistance distance =
        curveDistance(train(std::vector(depth, width)), readTorchCurve(file));
    std::printf("        loss %.3g, error %.3g %%, test loss %.3g, test error %.3g %%\n",
                distance.trainLoss, distance.trainErrorPercent, distance.testLoss,
                distance.testErrorPercent);
    findings.expectAtMost(distance.trainLoss, lossBar, "training loss");
    findings.expectAtMost(distance.trainErrorPercent, trainErrorBar, "training error");
    findings.expectAtMost(distance.testLoss, lossBar, "test loss");
    findings.expectAtMost(distance.testErrorPercent, testErrorBar, "test error");
    findings.expect(distance.evaluations == epochs() / testEvery, "evaluations");
}

} // namespace

int main(int argumentCount, char** arguments)
{
    if (!std::filesystem::exists(sharedFile("oracle"))) {
        std::printf("PyTorch's curves are not here: %s\n", sharedFile("oracle").c_str());
        return testSkipped;
    }
    return runGpuChecks(argumentCount, arguments,
                        {{"one layer", [](Findings& findings) { nearTorch(298, 1, findings); }},
                         {"two layers", [](Findings& findings) { nearTorch(100, 2, findings); }},
                         {"three layers", [](Findings& findings) { nearTorch(75, 3, findings); }},
                         {"four layers", [](Findings& findings) { nearTorch(63, 4, findings); }}});
}
