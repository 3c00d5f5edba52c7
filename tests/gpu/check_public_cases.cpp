// SPDX-License-Identifier: GPL-3.0-or-later
// Faults that people reported of other programs, tried on this engine: reduced precision without a
// word, huge equal logits, start weights, bits that depend on who else computes.
#include "core/data/mnist1d.h"
#include "core/engine/cpu_engine.h"
#include "core/engine/precision_names.h"
#include "core/engine/reference_engine.h"
#include "core/network/initialisation.h"
#include "gpu/arithmetic.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"
#include "tests/gpu/check_list.h"

#include <atomic>
#include <cmath>
#include <thread>

using namespace fullbatch;

namespace {

constexpr double learningRate = 0.0025;

/// Two hidden layers of 100 on MNIST-1D, seed 1.
TrainingProblem bookProblem(Precision precision = Precision::Fp32)
{
    static const auto data = std::make_shared<const Dataset>(generateMnist1d());
    const std::int64_t hidden[] = {100, 100};
    TrainingProblem problem;
    problem.data = data;
    problem.initial = initialParameters(NetworkShape::mlp(40, hidden, 10), 1);
    problem.precision = precision;
    return problem;
}

double logitDistance(Precision precision)
{
    TrainingProblem problem = bookProblem(precision);
    const Eigen::MatrixXf& inputs = problem.data->train.inputs;
    const Eigen::MatrixXf logits = gpuChoice().create(problem)->predict(inputs);
    problem.precision = Precision::Fp64;
    const Eigen::MatrixXf expected = makeReferenceEngine(problem)->predict(inputs);
    return (logits - expected).cwiseAbs().maxCoeff();
}

void reducedPrecisionIsNeverSilent(Findings& findings)
{
    findings.expect(gpuPrecisions.front() == Precision::Fp32, "another default");
    findings.expectAtMost(logitDistance(Precision::Fp32), 2e-5, "fp32");
    findings.expect(logitDistance(Precision::Tf32) >= 1e-4, "tf32 is not what it says");
    const std::string arithmetic =
        gpuChoice().create(bookProblem(Precision::Tf32))->state().arithmetic;
    findings.expect(arithmetic.find("tf32") != std::string::npos, "not named: " + arithmetic);
}

/// Zero weights and one output bias everywhere, behind hidden layers.
void equalHugeLogits(Findings& findings)
{
    for (const Precision precision : gpuPrecisions) {
        for (const float bias : {1e8F, 3e38F}) {
            if (precision == Precision::Fp16)
                continue; // cannot hold them
            TrainingProblem problem = bookProblem(precision);
            const std::span<float> values = problem.initial.values();
            std::ranges::fill(values, 0.0F);
            std::ranges::fill(values.last(10), bias);
            const double loss =
                trainEpochs(*gpuChoice().create(problem), 1, learningRate).at(0).loss;
            findings.expectAtMost(std::abs(loss - std::log(10.0)), 1e-5,
                                  std::string(precisionName(precision)) + ", "
                                      + std::to_string(bias));
        }
    }
}

void startWeightsAreTheSeeds(Findings& findings)
{
    for (const Precision precision : gpuPrecisions) {
        const TrainingProblem problem = bookProblem(precision);
        const Parameters start = gpuChoice().create(problem)->parameters();
        findings.expect(differentBits(start.values(), problem.initial.values()) == 0,
                        std::string(precisionName(precision)) + ": other start weights");
        findings.expect(differentBits(start.values(), bookProblem().initial.values()) == 0,
                        "the seed gives other weights");
    }
    TrainingProblem problem = bookProblem();
    findings.expect(differentBits(makeCpuEngine(problem)->parameters().values(),
                                  gpuChoice().create(problem)->parameters().values())
                        == 0,
                    "the CPU engine has other start weights");
}

std::vector<double> weightsAfter(std::size_t epochs)
{
    const auto engine = gpuChoice().create(bookProblem());
    trainEpochs(*engine, epochs, learningRate);
    return engine->state().parameters;
}

/// Five times alone, three times while another engine computes in the same process.
void repeatsInCompany(Findings& findings)
{
    const std::size_t epochs = onDevice() ? 2000 : 6;
    const std::vector<double> first = weightsAfter(epochs);
    for (int i = 1; i < 5; ++i)
        findings.expect(differentBits(weightsAfter(epochs), first) == 0, "alone");
    std::atomic<bool> enough = false;
    std::exception_ptr error;
    std::thread company([&] {
        try {
            const auto engine =
                gpuChoice().create(randomProblem({40, 63, 63, 10}, 1003, Precision::Bf16, {0.9}));
            while (!enough)
                trainEpochs(*engine, 10, 0.01);
        } catch (...) {
            error = std::current_exception();
        }
    });
    std::size_t different = 0;
    for (int i = 0; i < 3; ++i)
        different += differentBits(weightsAfter(epochs), first);
    enough = true;
    company.join();
    findings.expect(different == 0, "in company");
    findings.expect(!error, "the other engine failed");
}

} // namespace

int main(int argumentCount, char** arguments)
{
    return runGpuChecks(argumentCount, arguments,
                        {{"reduced precision is never silent", reducedPrecisionIsNeverSilent},
                         {"equal logits of any size have a loss of ln 10", equalHugeLogits},
                         {"start weights are the seed's in every engine", startWeightsAreTheSeeds},
                         {"equal bits alone and beside another engine", repeatsInCompany}});
}
