// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/control.h"

#include <cuda_runtime.h>

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace fullbatch::emulation {

/// A rule: a wrong program that must be caught, or a right one that must pass.
struct RuleCheck
{
    std::string name;
    std::function<void()> run;
};

/// Runs each check on a fresh machine, which it must leave without leaks and without broken rules
/// that it did not expect. Prints what failed; returns what main() must.
[[nodiscard]] int runRuleChecks(const std::vector<RuleCheck>& checks);

void expect(bool right, const std::string& otherwise);
void expectError(cudaError_t found, cudaError_t wanted, const std::string& call);
inline void expectSuccess(cudaError_t found, const std::string& call)
{
    expectError(found, cudaSuccess, call);
}
/// Takes the broken rules: there must be exactly one, with this part.
void expectBrokenRule(const std::string& part);
/// Runs the action in a child, which must die while standard error says this part.
void expectDeath(const std::string& part, const std::function<void()>& action);

/// A stream and device memory, which go with it.
class SmallProgram
{
public:
    SmallProgram();
    ~SmallProgram();
    SmallProgram(const SmallProgram&) = delete;
    SmallProgram& operator=(const SmallProgram&) = delete;

    float* floats(std::size_t count);
    void free(float* memory);
    void fill(float* memory, const std::vector<float>& values);
    std::vector<float> read(const float* memory, std::size_t count); ///< waits
    cudaError_t wait() { return cudaStreamSynchronize(stream); }

    template <class... Parameters, class... Arguments>
    cudaError_t launch(unsigned blocks, unsigned threads, void (*kernel)(Parameters...),
                       Arguments... arguments)
    {
        cudaLaunchConfig_t config{};
        config.gridDim = dim3(blocks);
        config.blockDim = dim3(threads);
        config.stream = stream;
        return cudaLaunchKernelEx(&config, kernel, arguments...);
    }

    cudaStream_t stream = nullptr;

private:
    std::vector<float*> m_memory;
};

} // namespace fullbatch::emulation
