// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/cublaslt_problem.h"

#include <array>
#include <vector>

namespace fullbatch::emulation::cublaslt {

/// What the emulation writes into a cublasLtMatmulAlgo_t. It stands for one problem, whose
/// fingerprint it carries, and for pointers aligned as the preference promised.
struct Algorithm
{
    enum class Id : std::uint32_t { Vectors = 21, Scalars = 0, SplitDepth = 6 };

    Id id = Id::Scalars;
    std::uint32_t architecture = 0; ///< compute capability, 90 for 9.0
    std::uint64_t fingerprint = 0;
    std::uint64_t workspaceBytes = 0;
    std::array<std::uint32_t, 4> alignments = {}; ///< A, B, C, D, in bytes
};

/// Why an algorithm cannot be used for the problem, or success: it must come from a heuristic for
/// this very problem on this architecture, untouched.
[[nodiscard]] cublasStatus_t readAlgorithm(const cublasLtMatmulAlgo_t& algo,
                                           const MatmulProblem& problem, Algorithm& algorithm);

/// All that can run, the best first; empty, with the refusal kept, when none can.
[[nodiscard]] std::vector<Algorithm> findAlgorithms(const MatmulProblem& problem,
                                                    const MatmulPreference& preference);

/// The default preference with this much workspace and these alignments, as used when a program
/// names no algorithm.
[[nodiscard]] MatmulPreference implicitPreference(std::uint64_t workspaceBytes,
                                                  const std::array<std::uint32_t, 4>& alignments);

} // namespace fullbatch::emulation::cublaslt
