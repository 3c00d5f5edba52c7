// SPDX-License-Identifier: GPL-3.0-or-later
// The bits do not depend on the order in which threads, blocks and streams take their turns, nor
// does a NaN get lost, whatever a product's ReLU makes of it.
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"
#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/cublaslt_control.h"
#include "tests/gpu/check_list.h"

#include <cmath>

using namespace fullbatch;
using emulation::ReluOfNan;

namespace {

constexpr double rate = 0.01;
constexpr std::size_t rows = 200;

struct Trace
{
    std::vector<EpochMetrics> records;
    EngineState state;
    Parameters gradient;
    Evaluation test;
};

Trace trace(Precision precision)
{
    const TrainingProblem problem = randomProblem({7, 13, 13, 5, 3}, rows, precision, {0.9});
    const auto engine = gpuChoice().create(problem);
    Trace trace;
    trace.records = trainEpochs(*engine, 3, rate);
    for (const EpochMetrics& record : trainMiniBatches(*engine, 2, rate, rows, 80))
        trace.records.push_back(record);
    trace.gradient = engine->gradientAt(problem.initial, {});
    trace.test = engine->evaluate(SplitName::Test);
    trace.state = engine->state();
    return trace;
}

void expectEqual(const Trace& a, const Trace& b, const std::string& place, Findings& findings)
{
    findings.expect(differentBits(std::span<const EpochMetrics>(a.records), b.records) == 0,
                    place + ": records");
    findings.expect(differentBits(a.state, b.state) == 0, place + ": state");
    findings.expect(differentBits(a.gradient.values(), b.gradient.values()) == 0,
                    place + ": gradient");
    findings.expect(a.test.loss == b.test.loss, place + ": test loss");
}

void anyOrder(Precision precision, Findings& findings)
{
    emulation::reset();
    const Trace forward = trace(precision);
    emulation::setThreadOrder(emulation::ThreadOrder::Reverse);
    expectEqual(trace(precision), forward, "threads in reverse", findings);
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        emulation::setThreadOrder(emulation::ThreadOrder::Random, seed);
        emulation::setStreamOrder(emulation::StreamOrder::Random, seed);
        expectEqual(trace(precision), forward, "order " + std::to_string(seed), findings);
    }
    emulation::setStreamOrder(emulation::StreamOrder::Eager);
    expectEqual(trace(precision), forward, "eager streams", findings);
    emulation::reset();
}

/// Calls of three epochs by which the host waits for the device, or gives it something.
std::vector<std::size_t> callsOfEpochs(std::size_t batchSize)
{
    const auto engine = gpuChoice().create(randomProblem({7, 13, 3}, rows, Precision::Fp16));
    trainMiniBatches(*engine, 1, rate, rows, batchSize); // makes what is made once
    const auto counts = [] {
        std::vector<std::size_t> all;
        for (const char* function :
             {"cudaGraphLaunch", "cudaStreamSynchronize", "cudaEventSynchronize",
              "cudaLaunchKernelEx", "cublasLtMatmul", "cudaMemcpyAsync"})
            all.push_back(emulation::callCount(function));
        return all;
    };
    const std::vector<std::size_t> before = counts();
    trainMiniBatches(*engine, 3, rate, rows, batchSize);
    std::vector<std::size_t> calls = counts();
    for (std::size_t i = 0; i < calls.size(); ++i)
        calls[i] -= before[i];
    return calls;
}

void batchesNeedNoHost(Findings& findings)
{
    emulation::reset();
    const std::vector<std::size_t> few = callsOfEpochs(100);
    const std::vector<std::size_t> many = callsOfEpochs(5);
    findings.expect(few == many, "40 batches need other calls than 2");
    findings.expect(few.front() == 3, std::to_string(few.front()) + " graphs for 3 epochs");
    findings.expect(few[1] + few[2] > 0, "nothing waits, so nothing is counted");
}

/// For both habits of the library: equal bits, and a kernel a hidden layer more where it is needed.
void reluOfEitherKind(Precision precision, Findings& findings)
{
    const TrainingProblem problem = randomProblem({7, 13, 13, 5, 3}, rows, precision, {0.9});
    Trace traces[2];
    std::size_t nodes[2] = {};
    for (const ReluOfNan kind : {ReluOfNan::Zero, ReluOfNan::Nan}) {
        const auto i = static_cast<std::size_t>(kind);
        emulation::setReluOfNan(kind);
        traces[i] = trace(precision);
        const auto engine = gpuChoice().create(problem);
        trainEpochs(*engine, 1, rate);
        (void)cudaGraphGetNodes(epochGraph(*engine), nullptr, &nodes[i]);
    }
    emulation::setReluOfNan(ReluOfNan::Zero);
    expectEqual(traces[0], traces[1], "ReLU", findings);
    const auto zero = nodes[static_cast<std::size_t>(ReluOfNan::Zero)];
    const auto nan = nodes[static_cast<std::size_t>(ReluOfNan::Nan)];
    findings.expect(zero == nan + 3, std::to_string(zero) + " kernels and " + std::to_string(nan));
}

/// Finite weights and inputs whose activations overflow, and their difference is a NaN before the
/// next ReLU: the loss must not be finite.
void nanIsNeverLost(Precision precision, Findings& findings)
{
    TrainingProblem problem = randomProblem({2, 3, 3, 2}, 20, precision);
    auto data = std::make_shared<Dataset>(*problem.data);
    const float large = precision == Precision::Fp16 ? 6e4F : 3e38F;
    data->train.inputs.setConstant(large);
    problem.data = data;
    for (const TensorInfo& tensor : problem.initial.tensors()) {
        auto view = problem.initial.view(tensor);
        view.setConstant(tensor.layer == 0 ? large : 0.5F);
        if (tensor.kind == TensorKind::Weight && tensor.layer == 2)
            view.col(1).setConstant(-0.5F);
    }
    for (const ReluOfNan kind : {ReluOfNan::Zero, ReluOfNan::Nan}) {
        emulation::setReluOfNan(kind);
        const auto engine = gpuChoice().create(problem);
        const std::vector<EpochMetrics> records = trainEpochs(*engine, 4, rate);
        findings.expect(records.size() == 1 && !std::isfinite(records[0].loss),
                        "the loss is " + std::to_string(records.at(0).loss));
        findings.expect(differentBits(engine->parameters().values(), problem.initial.values()) == 0,
                        "the parameters move");
    }
    emulation::setReluOfNan(ReluOfNan::Zero);
}

} // namespace

int main(int argumentCount, char** arguments)
{
    std::vector<GpuCheck> checks;
    addInEveryPrecision(checks, "equal bits in 20 random orders", anyOrder);
    addInEveryPrecision(checks, "equal bits whatever a product's ReLU makes of NaN",
                        reluOfEitherKind);
    addInEveryPrecision(checks, "a NaN before a ReLU is not lost", nanIsNeverLost);
    checks.push_back({"batches need no host", batchesNeedNoHost});
    return runGpuChecks(argumentCount, arguments, checks);
}
