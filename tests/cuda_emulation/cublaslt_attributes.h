// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/cublaslt_descriptors.h"

#include <cstddef>

/// Which attributes the descriptors have, of which size, and where their values stand.
namespace fullbatch::emulation::cublaslt {

/// Where an attribute's value stands in the contents.
struct Attribute
{
    int id;
    std::size_t offset;
    std::size_t size;
};

template <typename Contents>
struct Kind;

template <>
struct Kind<MatrixLayout>
{
    using Opaque = cublasLtMatrixLayoutOpaque_t;
    static constexpr std::uint64_t mark = 0x6c61796f75743133;
    static constexpr const char* name = "matrix layout";
    static constexpr Attribute attributes[] = {
        {CUBLASLT_MATRIX_LAYOUT_TYPE, offsetof(MatrixLayout, type), 4},
        {CUBLASLT_MATRIX_LAYOUT_ORDER, offsetof(MatrixLayout, order), 4},
        {CUBLASLT_MATRIX_LAYOUT_ROWS, offsetof(MatrixLayout, rows), 8},
        {CUBLASLT_MATRIX_LAYOUT_COLS, offsetof(MatrixLayout, columns), 8},
        {CUBLASLT_MATRIX_LAYOUT_LD, offsetof(MatrixLayout, leadingDimension), 8},
        {CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, offsetof(MatrixLayout, batchCount), 4},
        {CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, offsetof(MatrixLayout, batchStride), 8},
        {CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, offsetof(MatrixLayout, planeOffset), 8},
        {CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, offsetof(MatrixLayout, batchMode), 4},
    };
};

constexpr std::size_t scalePointer(std::size_t index)
{
    return offsetof(MatmulDescription, scalePointers) + index * sizeof(void*);
}

constexpr std::size_t scaleMode(std::size_t index)
{
    return offsetof(MatmulDescription, scaleModes) + index * sizeof(std::int32_t);
}

template <>
struct Kind<MatmulDescription>
{
    using Opaque = cublasLtMatmulDescOpaque_t;
    static constexpr std::uint64_t mark = 0x6d61746d756c3133;
    static constexpr const char* name = "matmul descriptor";
    static constexpr Attribute attributes[] = {
        {CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, offsetof(MatmulDescription, computeType), 4},
        {CUBLASLT_MATMUL_DESC_SCALE_TYPE, offsetof(MatmulDescription, scaleType), 4},
        {CUBLASLT_MATMUL_DESC_POINTER_MODE, offsetof(MatmulDescription, pointerMode), 4},
        {CUBLASLT_MATMUL_DESC_TRANSA, offsetof(MatmulDescription, transposeA), 4},
        {CUBLASLT_MATMUL_DESC_TRANSB, offsetof(MatmulDescription, transposeB), 4},
        {CUBLASLT_MATMUL_DESC_TRANSC, offsetof(MatmulDescription, transposeC), 4},
        {CUBLASLT_MATMUL_DESC_FILL_MODE, offsetof(MatmulDescription, fillMode), 4},
        {CUBLASLT_MATMUL_DESC_EPILOGUE, offsetof(MatmulDescription, epilogue), 4},
        {CUBLASLT_MATMUL_DESC_BIAS_POINTER, offsetof(MatmulDescription, bias), 8},
        {CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, offsetof(MatmulDescription, biasBatchStride), 8},
        {CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, offsetof(MatmulDescription, auxiliary), 8},
        {CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD,
         offsetof(MatmulDescription, auxiliaryLeadingDimension), 8},
        {CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE,
         offsetof(MatmulDescription, auxiliaryBatchStride), 8},
        {CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE,
         offsetof(MatmulDescription, alphaBatchStride), 8},
        {CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, offsetof(MatmulDescription, multiprocessors), 4},
        {CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scalePointer(0), 8},
        {CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scalePointer(1), 8},
        {CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, scalePointer(2), 8},
        {CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scalePointer(3), 8},
        {CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, scalePointer(4), 8},
        {CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, offsetof(MatmulDescription, auxiliaryType),
         4},
        {CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, scalePointer(5), 8},
        {CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, scalePointer(6), 8},
        {CUBLASLT_MATMUL_DESC_FAST_ACCUM, offsetof(MatmulDescription, fastAccumulation), 1},
        {CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, offsetof(MatmulDescription, biasType), 4},
        {CUBLASLT_MATMUL_DESC_A_SCALE_MODE, scaleMode(0), 4},
        {CUBLASLT_MATMUL_DESC_B_SCALE_MODE, scaleMode(1), 4},
        {CUBLASLT_MATMUL_DESC_C_SCALE_MODE, scaleMode(2), 4},
        {CUBLASLT_MATMUL_DESC_D_SCALE_MODE, scaleMode(3), 4},
        {CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE, scaleMode(4), 4},
        {CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, scalePointer(7), 8},
        {CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE, scaleMode(5), 4},
        {CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR,
         offsetof(MatmulDescription, floatingPointEmulation), 8},
    };
};

template <>
struct Kind<MatmulPreference>
{
    using Opaque = cublasLtMatmulPreferenceOpaque_t;
    static constexpr std::uint64_t mark = 0x707265666572e133;
    static constexpr const char* name = "matmul preference";
    static constexpr std::size_t alignments = offsetof(MatmulPreference, alignments);
    static constexpr Attribute attributes[] = {
        {CUBLASLT_MATMUL_PREF_SEARCH_MODE, offsetof(MatmulPreference, searchMode), 4},
        {CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, offsetof(MatmulPreference, workspaceBytes), 8},
        {CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, offsetof(MatmulPreference, reductionMask), 4},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignments, 4},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignments + 4, 4},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignments + 8, 4},
        {CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignments + 12, 4},
        {CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, offsetof(MatmulPreference, wavesCount), 4},
        {CUBLASLT_MATMUL_PREF_IMPL_MASK, offsetof(MatmulPreference, implementationMask), 8},
    };
};

} // namespace fullbatch::emulation::cublaslt
