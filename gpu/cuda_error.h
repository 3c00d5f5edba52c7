// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/training_engine.h"

#include <cublasLt.h>
#include <cuda_runtime_api.h>

namespace fullbatch {

/// What failed and what to do about it, apart; what() says both.
class GpuFailure : public EngineError
{
public:
    GpuFailure(const std::string& failure, const std::string& remedy)
        : EngineError(failure + " " + remedy),
          m_failure(failure),
          m_remedy(remedy)
    {
    }
    [[nodiscard]] const std::string& failure() const { return m_failure; } ///< a sentence
    [[nodiscard]] const std::string& remedy() const { return m_remedy; } ///< a sentence

private:
    std::string m_failure;
    std::string m_remedy;
};

// Every call of the CUDA runtime and of cublasLt goes through one of these. They throw GpuFailure
// with the name of the call, what it returned and a remedy, and clear the runtime's error flag, so
// that the next call is judged by itself.

void check(cudaError_t error, const char* call);
void check(cublasStatus_t status, const char* call);

/// "cudaMalloc returned cudaErrorMemoryAllocation (2, out of memory)".
[[nodiscard]] std::string failureText(cudaError_t error, const char* call);
[[nodiscard]] std::string failureText(cublasStatus_t status, const char* call);

/// What a person can do about it, in one sentence.
[[nodiscard]] std::string remedy(cudaError_t error);
[[nodiscard]] std::string remedy(cublasStatus_t status);

} // namespace fullbatch
