// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/loss_scaling.h"
#include "gpu/kernel_work.h"

#include <cublasLt.h>

#include <array>

namespace fullbatch {

/// The first is the default: TF32 is never on unless it is asked for.
inline constexpr std::array gpuPrecisions = {Precision::Fp32, Precision::Tf32, Precision::Bf16,
                                             Precision::Fp16};

/// How a precision computes. Master weights, gradients, logits and sums are float32 in each.
struct Arithmetic
{
    Precision precision = Precision::Fp32;
    StoredType stored = StoredType::Float32; ///< inputs, activations, deltas, products' weights
    std::size_t bytes = sizeof(float); ///< of a stored number
    cudaDataType_t type = CUDA_R_32F; ///< the same for cublasLt
    cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
    bool scaled = false; ///< with a loss scale

    /// Whether the products read rounded copies instead of the master weights.
    [[nodiscard]] bool copies() const { return stored != StoredType::Float32; }
};

/// One of gpuPrecisions.
[[nodiscard]] Arithmetic arithmeticOf(Precision precision);

[[nodiscard]] inline MeanShares meanShares(const Arithmetic& arithmetic, std::size_t rows)
{
    return meanShares(arithmetic.precision, rows);
}

} // namespace fullbatch
