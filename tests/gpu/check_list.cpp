// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gpu/check_list.h"

#include "core/engine/precision_names.h"
#include "gpu/arithmetic.h"
#include "tests/shared_data.h"

#include <cuda_runtime_api.h>

#include <chrono>
#include <cstdio>
#include <exception>

namespace fullbatch {

EngineChoice gpuChoice(const GpuEngineOptions& options)
{
    EngineChoice choice;
    choice.id = "gpu";
    choice.description = "GPU 0";
    choice.precisions = {gpuPrecisions.begin(), gpuPrecisions.end()};
    choice.activations = {gpuActivations.begin(), gpuActivations.end()};
    choice.create = [options](const TrainingProblem& problem) {
        return makeGpuEngine(0, problem, options);
    };
    return choice;
}

bool onDevice()
{
    cudaDeviceProp properties{};
    return cudaGetDeviceProperties(&properties, 0) == cudaSuccess
        && std::string(properties.name) != "Emulated";
}

void Findings::expect(bool right, const std::string& otherwise)
{
    if (!right)
        m_texts.push_back(otherwise);
}

void Findings::expectAtMost(double value, double bar, const std::string& what)
{
    if (!(value <= bar)) {
        m_texts.push_back(what + ": " + std::to_string(value) + " of at most "
                          + std::to_string(bar));
    }
}

void addInEveryPrecision(std::vector<GpuCheck>& checks, const std::string& name,
                         void (*check)(Precision, Findings&))
{
    for (const Precision precision : gpuPrecisions) {
        checks.push_back({std::string(precisionName(precision)) + ": " + name,
                          [=](Findings& findings) { check(precision, findings); }});
    }
}

int runGpuChecks(int argumentCount, char** arguments, const std::vector<GpuCheck>& checks)
{
    using Clock = std::chrono::steady_clock;
    int devices = 0;
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
        std::puts("There is no device here.");
        return testSkipped;
    }
    const std::string wanted = argumentCount > 1 ? arguments[1] : "";
    int failures = 0;
    for (const GpuCheck& check : checks) {
        if (check.name.find(wanted) == std::string::npos)
            continue;
        const Clock::time_point began = Clock::now();
        Findings findings;
        try {
            check.run(findings);
        } catch (const std::exception& error) {
            findings.expect(false, std::string("ends with: ") + error.what());
        }
        const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
        const bool passed = findings.texts().empty();
        std::printf("%s  %6.2f s  %s\n", passed ? "pass" : "FAIL", seconds, check.name.c_str());
        for (const std::string& text : findings.texts())
            std::printf("        %s\n", text.c_str());
        std::fflush(stdout);
        failures += passed ? 0 : 1;
    }
    std::printf("%d failed\n", failures);
    return failures == 0 ? 0 : 1;
}

} // namespace fullbatch
