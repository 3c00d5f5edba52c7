// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/cublaslt_descriptors.h"

#include <cstddef>
#include <optional>

namespace fullbatch::emulation::cublaslt {

/// D = epilogue(alpha op(A) op(B) + beta C): what the descriptors say, without pointers to
/// matrices.
struct MatmulProblem
{
    MatmulDescription description;
    MatrixLayout a;
    MatrixLayout b;
    MatrixLayout c;
    MatrixLayout d;

    [[nodiscard]] std::uint64_t rows() const { return d.rows; }
    [[nodiscard]] std::uint64_t columns() const { return d.columns; }
    /// The length of the inner products.
    [[nodiscard]] std::uint64_t depth() const
    {
        return description.transposeA == CUBLAS_OP_N ? a.columns : a.rows;
    }
};

/// The problem that the descriptors state, or nothing, with the refusal kept, when one of them was
/// destroyed or never made.
[[nodiscard]] std::optional<MatmulProblem>
readProblem(cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
            cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d);

/// What the documentation, the header and the library's own error texts demand of a problem. The
/// real library does more than this emulation: row order, other types and epilogues, scalars and
/// scales in device memory are refused here, because no program tested with it uses them.
[[nodiscard]] cublasStatus_t checkProblem(const MatmulProblem& problem);

/// Bytes of an element; 0 for a type that is not supported.
[[nodiscard]] std::size_t elementBytes(std::uint32_t type);
/// From the first element to behind the last one, padding and all matrices of a batch included.
[[nodiscard]] std::size_t matrixBytes(const MatrixLayout& layout);
[[nodiscard]] bool sameLayout(const MatrixLayout& first, const MatrixLayout& second);

/// What an epilogue does beside the product.
struct EpilogueParts
{
    bool known = false;
    bool addsBias = false;
    bool relu = false;
    bool writesMask = false;
    bool readsMask = false; ///< the gradient of ReLU
    bool sumsRowsOfD = false; ///< bias gradient beside the gradient of ReLU
    bool sumsA = false; ///< bias gradient over A
    bool sumsB = false; ///< bias gradient over B

    [[nodiscard]] bool usesBias() const { return addsBias || sumsRowsOfD || sumsA || sumsB; }
    [[nodiscard]] bool usesMask() const { return writesMask || readsMask; }
};
[[nodiscard]] EpilogueParts partsOf(std::uint32_t epilogue);
/// Elements of the bias vector of one matrix of a batch.
[[nodiscard]] std::uint64_t biasLength(const MatmulProblem& problem);

} // namespace fullbatch::emulation::cublaslt
