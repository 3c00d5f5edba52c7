// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cublasLt.h>

#include <cstdint>
#include <string>

/// What stands in cublasLt's opaque descriptors here. The real library accepts any value when an
/// attribute is set and looks at it when the descriptor is used; so does this one.
namespace fullbatch::emulation::cublaslt {

/// A matrix: type and order are cudaDataType and cublasLtOrder_t, distances are in elements.
struct MatrixLayout
{
    std::uint64_t mark;
    std::uint64_t rows;
    std::uint64_t columns;
    std::int64_t leadingDimension;
    std::int64_t batchStride;
    std::int64_t planeOffset;
    std::uint32_t type;
    std::int32_t order;
    std::int32_t batchCount;
    std::uint32_t batchMode;
};

/// What to do with matrices: see cublasLtMatmulDescAttributes_t for the meanings.
struct MatmulDescription
{
    std::uint64_t mark;
    std::int32_t computeType;
    std::int32_t scaleType;
    std::int32_t pointerMode;
    std::int32_t transposeA;
    std::int32_t transposeB;
    std::int32_t transposeC;
    std::int32_t fillMode;
    std::uint32_t epilogue;
    void* bias;
    std::int64_t biasBatchStride;
    void* auxiliary; ///< the ReLU mask
    std::int64_t auxiliaryLeadingDimension; ///< in bits
    std::int64_t auxiliaryBatchStride; ///< in bits
    std::int64_t alphaBatchStride;
    std::int32_t multiprocessors;
    std::int32_t auxiliaryType; ///< -1: the mask's own
    std::int32_t biasType; ///< -1: as D
    std::int8_t fastAccumulation;
    void* scalePointers[8]; ///< A, B, C, D, largest of D, auxiliary, largest of it, D's output
    std::int32_t scaleModes[6]; ///< A, B, C, D, auxiliary, D's output
    void* floatingPointEmulation;
};

/// What a heuristic may choose from.
struct MatmulPreference
{
    std::uint64_t mark;
    std::uint64_t workspaceBytes;
    std::uint64_t implementationMask;
    std::uint32_t searchMode;
    std::uint32_t reductionMask;
    std::uint32_t alignments[4]; ///< A, B, C, D, in bytes
    float wavesCount;
};

/// What a descriptor holds; null when it is null, was never made or was destroyed.
[[nodiscard]] const MatrixLayout* contents(cublasLtMatrixLayout_t layout);
[[nodiscard]] const MatmulDescription* contents(cublasLtMatmulDesc_t description);
[[nodiscard]] const MatmulPreference* contents(cublasLtMatmulPreference_t preference);

/// Keeps the sentence for lastCublasLtRefusal() and gives the status back.
cublasStatus_t refuse(cublasStatus_t status, const std::string& sentence);
/// The same for what a real device may forgive, hide or punish without a word: also notes a broken
/// rule, so that no program gets away with not looking at the status.
cublasStatus_t misuse(cublasStatus_t status, const std::string& sentence);

} // namespace fullbatch::emulation::cublaslt
