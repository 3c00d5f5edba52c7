// SPDX-License-Identifier: GPL-3.0-or-later
// Every call of CUDA and cublasLt fails once: the engine says which and what to do, keeps the last
// state, gives everything back, and the next run is as if nothing had been.
#include "core/engine/cpu_engine.h"
#include "tests/core/engine/comparison.h"
#include "tests/core/engine/random_problem.h"
#include "tests/cuda_emulation/control.h"
#include "tests/gpu/check_list.h"

#include <cublasLt.h>

#include <algorithm>
#include <optional>

using namespace fullbatch;

namespace {

constexpr double rate = 0.01;
constexpr std::size_t rows = 200; // two chunks

TrainingProblem smallProblem()
{
    return randomProblem({7, 13, 5, 3}, rows, Precision::Bf16, {0.9});
}

/// Where a session ended, and with what.
struct Session
{
    std::optional<std::string> error; ///< of an EngineError
    EngineState state; ///< of the engine, as it can be read afterwards
    EngineState lastGood; ///< after the last call that went well
    std::vector<EpochMetrics> records; ///< of the calls that went well
};

/// What an engine is asked for in its life, each kind of call once at least.
void live(TrainingEngine& engine, const TrainingProblem& problem, Session& session)
{
    const auto note = [&](const std::vector<EpochMetrics>& records) {
        session.records.insert(session.records.end(), records.begin(), records.end());
        session.lastGood = engine.state();
    };
    session.lastGood = engine.state();
    note(trainEpochs(engine, 3, rate));
    note(trainEpochs(engine, 33, rate));
    note(trainMiniBatches(engine, 2, rate, rows, 80));
    (void)engine.evaluate(SplitName::Test);
    (void)engine.predict(problem.data->test.inputs);
    (void)engine.gradientAt(problem.initial, {});
    note(trainEpochs(engine, 2, rate));
}

Session session(const GpuEngineOptions& options = {})
{
    Session session;
    const TrainingProblem problem = smallProblem();
    std::unique_ptr<TrainingEngine> engine;
    try {
        engine = gpuChoice(options).create(problem);
        live(*engine, problem, session);
    } catch (const EngineError& error) {
        session.error = error.what();
    }
    if (engine)
        session.state = engine->state();
    return session;
}

bool isSentence(const std::string& text)
{
    return text.size() > 30 && text.back() == '.' && text.find('\n') == std::string::npos;
}

/// After a fault: nothing is alive, and the next session is like any other.
void expectRecovery(const Session& expected, const std::string& place, Findings& findings)
{
    findings.expect(emulation::leaks() == emulation::Leaks(), place + ": something leaks");
    findings.expect(emulation::deviceMemoryInUse() == 0, place + ": device memory leaks");
    const Session next = session();
    findings.expect(!next.error, place + ": the next session fails: " + next.error.value_or(""));
    findings.expect(differentBits(next.state, expected.state) == 0, place + ": next session");
}

/// A session with a fault that must end it, saying `word`, with the last good state kept.
void expectFailure(const Session& failed, const std::string& word, const std::string& place,
                   Findings& findings)
{
    if (!failed.error) {
        findings.expect(false, place + ": no error");
        return;
    }
    findings.expect(isSentence(*failed.error), place + ": no sentence: " + *failed.error);
    findings.expect(failed.error->find(word) != std::string::npos,
                    place + ": does not name " + word + ": " + *failed.error);
    findings.expect(differentBits(failed.state, failed.lastGood) == 0, place + ": last state");
}

/// The calls of a session without a fault, until the engine is destroyed.
std::size_t callsOf(const char* function)
{
    emulation::reset();
    Session session;
    const TrainingProblem problem = smallProblem();
    const std::unique_ptr<TrainingEngine> engine = gpuChoice().create(problem);
    live(*engine, problem, session);
    return emulation::callCount(function);
}

void outOfMemoryAtEveryAllocation(Findings& findings)
{
    const Session expected = session();
    for (const char* function : {"cudaMalloc", "cudaMallocHost"}) {
        const std::size_t calls = callsOf(function);
        findings.expect(calls > 0, std::string(function) + " is never called");
        for (std::size_t call = 1; call <= calls; ++call) {
            emulation::reset();
            emulation::failCall(function, static_cast<int>(call), cudaErrorMemoryAllocation);
            const std::string place = std::string(function) + " " + std::to_string(call);
            expectFailure(session(), function, place, findings);
            expectRecovery(expected, place, findings);
        }
    }
}

/// Some calls of every function that the engine uses; all of those that are called a few times.
void everyFunctionFails(Findings& findings)
{
    const Session expected = session();
    for (const char* function : {"cudaSetDevice",
                                 "cudaGetDeviceProperties",
                                 "cudaMemGetInfo",
                                 "cudaMemcpyAsync",
                                 "cudaMemsetAsync",
                                 "cudaStreamCreateWithFlags",
                                 "cudaStreamSynchronize",
                                 "cudaStreamWaitEvent",
                                 "cudaEventCreateWithFlags",
                                 "cudaEventRecord",
                                 "cudaEventSynchronize",
                                 "cudaGraphLaunch",
                                 "cublasLtCreate",
                                 "cublasLtMatmul",
                                 "cublasLtMatmulDescCreate",
                                 "cublasLtMatmulDescSetAttribute",
                                 "cublasLtMatrixLayoutCreate",
                                 "cublasLtMatrixLayoutSetAttribute",
                                 "cublasLtMatmulPreferenceCreate",
                                 "cublasLtMatmulPreferenceSetAttribute",
                                 "cublasLtMatmulAlgoGetHeuristic"}) {
        const std::size_t calls = callsOf(function);
        findings.expect(calls > 0, std::string(function) + " is never called");
        const std::size_t step = std::max<std::size_t>(1, calls / 7);
        for (std::size_t call = 1; call <= calls; call += step) {
            emulation::reset();
            const bool library = std::string(function).starts_with("cublas");
            emulation::failCall(function, static_cast<int>(call),
                                library ? static_cast<int>(CUBLAS_STATUS_EXECUTION_FAILED)
                                        : static_cast<int>(cudaErrorInvalidValue));
            const std::string place = std::string(function) + " " + std::to_string(call);
            const Session failed = session();
            // A capture that fails is not an error: see below.
            if (!failed.error && std::string(function) == "cublasLtMatmul")
                findings.expect(differentBits(failed.state, expected.state) == 0, place);
            else
                expectFailure(failed, function, place, findings);
            expectRecovery(expected, place, findings);
        }
    }
}

void everyStatusOfTheLibrary(Findings& findings)
{
    const Session expected = session();
    for (const cublasStatus_t status :
         {CUBLAS_STATUS_NOT_INITIALIZED, CUBLAS_STATUS_ALLOC_FAILED, CUBLAS_STATUS_INVALID_VALUE,
          CUBLAS_STATUS_ARCH_MISMATCH, CUBLAS_STATUS_MAPPING_ERROR, CUBLAS_STATUS_EXECUTION_FAILED,
          CUBLAS_STATUS_INTERNAL_ERROR, CUBLAS_STATUS_NOT_SUPPORTED, CUBLAS_STATUS_LICENSE_ERROR}) {
        for (const char* function :
             {"cublasLtCreate", "cublasLtMatmulAlgoGetHeuristic", "cublasLtMatmul"}) {
            emulation::reset();
            emulation::failCall(function, 1, status);
            const Session failed = session();
            const std::string place = std::string(function) + " " + std::to_string(status);
            expectFailure(failed, std::to_string(static_cast<int>(status)), place, findings);
            expectFailure(failed, function, place, findings);
            expectRecovery(expected, place, findings);
        }
    }
}

/// The device is lost in the middle: the session ends, its last state is kept, and the CPU goes on.
void lostDevice(Findings& findings)
{
    const Session expected = session();
    for (const cudaError_t error : {cudaErrorIllegalAddress, cudaErrorLaunchFailure}) {
        for (int work = 1; work < 2000; work = work * 3 / 2 + 1) {
            emulation::reset();
            emulation::failDeviceWork(work, error);
            const std::string place = cudaGetErrorName(error) + (" at " + std::to_string(work));
            const Session failed = session();
            if (!failed.error)
                continue; // a session has fewer pieces of work
            expectFailure(failed, std::to_string(static_cast<int>(error)), place, findings);
            findings.expect(std::equal(failed.records.begin(), failed.records.end(),
                                       expected.records.begin(),
                                       [](const EpochMetrics& a, const EpochMetrics& b) {
                                           return a.loss == b.loss;
                                       }),
                            place + ": its curve is another");
            findings.expect(session().error.has_value(), place + ": a lost device works again");
            TrainingProblem problem = smallProblem();
            problem.precision = Precision::Fp32;
            findings.expect(trainEpochs(*makeCpuEngine(problem), 3, rate).size() == 3,
                            place + ": the CPU does not go on");
            findings.expect(emulation::leaks() == emulation::Leaks(), place + ": leaks");
            emulation::reset(); // the program is started again
            expectRecovery(expected, place, findings);
        }
    }
}

/// What cannot be captured is launched plainly, with the same bits.
void captureFails(Findings& findings)
{
    GpuEngineOptions unrolled;
    unrolled.launches.unrolled = LaunchOptions::Unrolled::Always;
    const Session expected = session(unrolled);
    for (const auto& [function, status] : std::vector<std::pair<const char*, cudaError_t>>{
             {"cudaStreamBeginCapture", cudaErrorStreamCaptureUnsupported},
             {"cudaStreamEndCapture", cudaErrorStreamCaptureInvalidated},
             {"cudaGraphInstantiate", cudaErrorMemoryAllocation}}) {
        for (const int call : {1, 2, 3}) { // of a single epoch, of many, of one in batches
            emulation::reset();
            emulation::failCall(function, call, status);
            const std::string place = std::string(function) + " " + std::to_string(call);
            const Session plain = session(unrolled);
            findings.expect(!plain.error, place + ": " + plain.error.value_or(""));
            findings.expect(differentBits(plain.state, expected.state) == 0, place + ": state");
            expectRecovery(expected, place, findings);
        }
        emulation::reset();
        emulation::failCall(function, 1, status);
        const TrainingProblem problem = smallProblem();
        const auto engine = gpuChoice().create(problem);
        trainEpochs(*engine, 1, rate);
        findings.expect(launchText(*engine).find(function) != std::string::npos,
                        std::string("the reason is not kept: ") + launchText(*engine));
    }
}

/// Too large a network is refused with numbers, before anything is allocated; the next run is as
/// ever, and nothing grows.
void tooLargeAgainAndAgain(Findings& findings)
{
    const Session expected = session();
    emulation::reset();
    emulation::setDevices({{"Small", 9, 0, 64 << 20, 132}});
    const TrainingProblem large = randomProblem({40, 100'000, 10}, rows, Precision::Fp32);
    for (int i = 0; i < 50; ++i) {
        const std::size_t allocations = emulation::callCount("cudaMalloc");
        std::string text;
        try {
            (void)gpuChoice().create(large);
        } catch (const EngineError& error) {
            text = error.what();
        }
        findings.expect(isSentence(text) && text.find("MB") != std::string::npos
                            && text.find("67 MB") != std::string::npos,
                        "refused with: " + text);
        findings.expect(emulation::callCount("cudaMalloc") == allocations,
                        "something is allocated first");
        findings.expect(emulation::deviceMemoryInUse() == 0, "device memory grows");
        const Session next = session();
        findings.expect(!next.error, next.error.value_or(""));
        findings.expect(differentBits(std::span<const EpochMetrics>(next.records), expected.records)
                            == 0,
                        "the next run differs");
    }
}

/// Wrong labels and sizes are refused before the device is touched.
void refusedBeforeAnyDeviceWork(Findings& findings)
{
    emulation::reset();
    TrainingProblem problem = smallProblem();
    auto data = std::make_shared<Dataset>(*problem.data);
    data->train.labels[3] = 3;
    problem.data = data;
    bool refused = false;
    try {
        (void)gpuChoice().create(problem);
    } catch (const std::invalid_argument&) {
        refused = true;
    }
    findings.expect(refused, "label 3 of 3 is accepted");
    for (const char* function : {"cudaSetDevice", "cudaMalloc", "cudaMemGetInfo",
                                 "cudaStreamCreateWithFlags", "cublasLtCreate"})
        findings.expect(emulation::callCount(function) == 0, std::string(function) + " is called");
}

} // namespace

int main(int argumentCount, char** arguments)
{
    return runGpuChecks(
        argumentCount, arguments,
        {{"out of memory at every allocation in turn", outOfMemoryAtEveryAllocation},
         {"every function fails", everyFunctionFails},
         {"every status of cublasLt", everyStatusOfTheLibrary},
         {"a lost device", lostDevice},
         {"a capture that fails", captureFails},
         {"too large, again and again", tooLargeAgainAndAgain},
         {"refused before any device work", refusedBeforeAnyDeviceWork}});
}
