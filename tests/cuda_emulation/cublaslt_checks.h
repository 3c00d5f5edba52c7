// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/cublaslt_program.h"

#include <functional>

namespace fullbatch::emulation {

/// Prints what failed, and counts it.
void check(bool passed, const std::string& what);

/// Runs each part on a fresh machine, which it must leave without leaks; returns what main() must.
[[nodiscard]] int runParts(const std::vector<std::function<void()>>& parts);

inline constexpr cublasStatus_t invalid = CUBLAS_STATUS_INVALID_VALUE;
inline constexpr cublasStatus_t unsupported = CUBLAS_STATUS_NOT_SUPPORTED;

/// When the right program is made wrong.
enum class Moment {
    BeforeHeuristic, ///< the heuristic must refuse, and so must the product
    Preference, ///< the heuristic must refuse; the product never sees the preference
    BeforeProduct ///< the heuristic was asked before; the product must refuse
};

struct WrongProgram
{
    std::string name;
    ProductCase product;
    Moment moment = Moment::BeforeHeuristic;
    std::function<void(MatmulProgram&)> spoil;
    cublasStatus_t status = invalid;
    std::string sentence; ///< part of the refusal
};

/// Runs the right program, spoils it, and checks that the refusal is the rule's own.
void checkWrong(const WrongProgram& wrong);

/// "gave CUBLAS_STATUS_...", with the refusal.
[[nodiscard]] std::string found(cublasStatus_t status);

/// A product with this epilogue.
[[nodiscard]] ProductCase with(std::uint32_t epilogue, bool transposeB = false,
                               std::int32_t batch = 1);

/// A spoiler that sets an attribute of the operation.
template <typename Value>
std::function<void(MatmulProgram&)> operation(cublasLtMatmulDescAttributes_t attribute, Value value)
{
    return [=](MatmulProgram& program) { set(program.description, attribute, value); };
}

/// The same for a matrix layout.
template <typename Value>
std::function<void(MatmulProgram&)> layout(cublasLtMatrixLayout_t MatmulProgram::*which,
                                           cublasLtMatrixLayoutAttribute_t attribute, Value value)
{
    return [=](MatmulProgram& program) { set(program.*which, attribute, value); };
}

} // namespace fullbatch::emulation
