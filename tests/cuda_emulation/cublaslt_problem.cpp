// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/cublaslt_problem.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace fullbatch::emulation::cublaslt {
namespace {

/// The first rule that is broken, or nothing.
struct Broken
{
    cublasStatus_t status;
    std::string sentence;
};
using Verdict = std::optional<Broken>;

Broken invalid(const std::string& sentence)
{
    return {CUBLAS_STATUS_INVALID_VALUE, sentence};
}

Broken unsupported(const std::string& sentence)
{
    return {CUBLAS_STATUS_NOT_SUPPORTED, sentence};
}

struct NamedLayout
{
    const char* name;
    const MatrixLayout* layout;
};

/// The table of the documentation of cublasLtMatmul(), as far as the emulation goes.
Verdict checkTypes(const MatmulProblem& problem)
{
    const std::uint32_t input = problem.a.type;
    const std::uint32_t output = problem.d.type;
    const int compute = problem.description.computeType;
    for (const std::uint32_t type : {input, problem.b.type, problem.c.type, output}) {
        if (elementBytes(type) == 0)
            return unsupported("Matrices are of CUDA_R_32F, CUDA_R_16F or CUDA_R_16BF here.");
    }
    if (problem.b.type != input)
        return invalid("A and B must have one type.");
    if (problem.c.type != output)
        return invalid("C and D must have one type.");
    if (compute != CUBLAS_COMPUTE_32F && compute != CUBLAS_COMPUTE_32F_PEDANTIC
        && compute != CUBLAS_COMPUTE_32F_FAST_TF32)
        return unsupported("The compute type must be 32F, 32F_PEDANTIC or 32F_FAST_TF32 here.");
    if (problem.description.scaleType != CUDA_R_32F)
        return invalid("These compute types take CUDA_R_32F as the scale type.");
    if (compute == CUBLAS_COMPUTE_32F_FAST_TF32 && (input != CUDA_R_32F || output != CUDA_R_32F))
        return unsupported("CUBLAS_COMPUTE_32F_FAST_TF32 takes CUDA_R_32F matrices alone.");
    if (output != CUDA_R_32F && output != input)
        return unsupported("D is of CUDA_R_32F or of the type of A and B.");
    return std::nullopt;
}

Verdict checkLayout(const NamedLayout& named)
{
    const MatrixLayout& layout = *named.layout;
    const std::string matrix = std::string("Matrix ") + named.name;
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
    if (layout.order != CUBLASLT_ORDER_COL)
        return unsupported(matrix + " must be in column order here.");
    if (layout.rows == 0 || layout.columns == 0 || layout.rows > largest
        || layout.columns > largest)
        return invalid(matrix + " must have 1 to 2^31 - 1 rows and columns.");
    if (layout.leadingDimension < static_cast<std::int64_t>(layout.rows))
        return invalid(matrix + " has a leading dimension below its rows.");
    if (layout.planeOffset != 0)
        return unsupported(matrix + " must not be planar-complex.");
    if (layout.batchMode != CUBLASLT_BATCH_MODE_STRIDED)
        return unsupported(matrix + " must be of a strided batch.");
    if (layout.batchCount < 1)
        return invalid(matrix + " has a batch count below 1.");
    return std::nullopt;
}

Verdict checkBatch(const MatmulProblem& problem, const NamedLayout& named)
{
    const MatrixLayout& layout = *named.layout;
    const std::string matrix = std::string("Matrix ") + named.name;
    if (layout.batchCount != problem.a.batchCount)
        return invalid(matrix + " has another batch count than A.");
    if (layout.batchCount == 1)
        return std::nullopt;
    // Broadcast batches read out of bounds in CUDA 13.0 on compute capability 12: not for us.
    if (layout.batchStride == 0)
        return unsupported(matrix
                           + " is one matrix for the whole batch, which reads out of bounds"
                             " in some versions of the library.");
    const std::int64_t needed =
        layout.leadingDimension * static_cast<std::int64_t>(layout.columns - 1)
        + static_cast<std::int64_t>(layout.rows);
    if (named.layout == &problem.d && layout.batchStride < needed)
        return invalid("The matrices D of the batch overlap.");
    if (layout.batchStride < 0)
        return unsupported(matrix + " has a negative batch stride.");
    return std::nullopt;
}

Verdict checkShapes(const MatmulProblem& problem)
{
    const MatmulDescription& description = problem.description;
    for (const int operation : {description.transposeA, description.transposeB}) {
        if (operation != CUBLAS_OP_N && operation != CUBLAS_OP_T && operation != CUBLAS_OP_C)
            return unsupported("A and B are used as they are or transposed.");
    }
    if (description.transposeC != CUBLAS_OP_N)
        return unsupported("C cannot be transposed.");
    const bool straightA = description.transposeA == CUBLAS_OP_N;
    const bool straightB = description.transposeB == CUBLAS_OP_N;
    if ((straightA ? problem.a.rows : problem.a.columns) != problem.rows())
        return invalid("op(A) and D must have equally many rows.");
    if ((straightB ? problem.b.columns : problem.b.rows) != problem.columns())
        return invalid("op(B) and D must have equally many columns.");
    if ((straightB ? problem.b.rows : problem.b.columns) != problem.depth())
        return invalid("op(A) must have as many columns as op(B) has rows.");
    if (problem.c.rows != problem.rows() || problem.c.columns != problem.columns())
        return invalid("C and D must have equally many rows and columns.");
    return std::nullopt;
}

/// Attributes for what is not emulated must keep their defaults.
Verdict checkDefaults(const MatmulDescription& description)
{
    if (description.pointerMode != CUBLASLT_POINTER_MODE_HOST || description.alphaBatchStride != 0)
        return unsupported("alpha and beta must be in host memory here.");
    if (description.fillMode != CUBLAS_FILL_MODE_FULL)
        return unsupported("Only the full fill mode is supported.");
    if (description.fastAccumulation != 0 || description.floatingPointEmulation != nullptr)
        return unsupported("Fast accumulation and emulated floating point are not supported.");
    for (const void* scale : description.scalePointers) {
        if (scale != nullptr)
            return invalid("A scale or largest value is not supported for these types.");
    }
    for (const std::int32_t mode : description.scaleModes) {
        if (mode != CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F)
            return invalid("A scaling mode is not supported for these types.");
    }
    return std::nullopt;
}

Verdict checkBias(const MatmulProblem& problem, const EpilogueParts& parts)
{
    const MatmulDescription& description = problem.description;
    if (!parts.usesBias() && description.bias != nullptr)
        return invalid("The bias pointer is set, but the epilogue has no bias.");
    if (description.bias == nullptr && description.biasBatchStride != 0)
        return invalid("The bias has a batch stride, but no pointer.");
    if (description.biasType != -1
        && static_cast<std::uint32_t>(description.biasType) != problem.d.type)
        return unsupported("The bias must have the type of D.");
    if (parts.usesBias() && problem.d.batchCount > 1
        && description.biasBatchStride < static_cast<std::int64_t>(biasLength(problem))
        && !(parts.addsBias && description.biasBatchStride == 0))
        return invalid("The bias vectors of the batch overlap.");
    // Kernels load it in pieces of 16 bytes, and no preference speaks of its alignment.
    if (reinterpret_cast<std::uintptr_t>(description.bias) % 16 != 0)
        return unsupported("The bias must be aligned to 16 bytes.");
    return std::nullopt;
}

Verdict checkMask(const MatmulProblem& problem, const EpilogueParts& parts)
{
    const MatmulDescription& description = problem.description;
    if (!parts.usesMask()) {
        if (description.auxiliary != nullptr)
            return invalid("The pointer to a ReLU mask is set, but the epilogue has no mask.");
        return std::nullopt;
    }
    const std::int64_t leading = description.auxiliaryLeadingDimension;
    if (description.auxiliary == nullptr)
        return invalid("The epilogue needs a pointer to the ReLU mask.");
    if (reinterpret_cast<std::uintptr_t>(description.auxiliary) % 16 != 0)
        return unsupported("The ReLU mask must be aligned to 16 bytes.");
    if (leading % 128 != 0 || leading < static_cast<std::int64_t>(problem.rows()))
        return invalid("The leading dimension of the ReLU mask must be a multiple of 128 bits, at"
                       " least the rows of D.");
    if (description.auxiliaryBatchStride % 128 != 0)
        return invalid("The batch stride of the ReLU mask must be a multiple of 128 bits.");
    if (problem.d.batchCount > 1
        && description.auxiliaryBatchStride
            < leading * static_cast<std::int64_t>(problem.columns()))
        return invalid("The ReLU masks of the batch overlap.");
    // CUDA 13.0 changed what a set type means for a mask.
    if (description.auxiliaryType != -1)
        return invalid("The type of a ReLU mask must be left unset.");
    return std::nullopt;
}

Verdict checkEpilogue(const MatmulProblem& problem)
{
    const EpilogueParts parts = partsOf(problem.description.epilogue);
    if (!parts.known)
        return unsupported("This epilogue is not supported, or joins what cannot be joined.");
    if (Verdict verdict = checkBias(problem, parts))
        return verdict;
    if (Verdict verdict = checkMask(problem, parts))
        return verdict;
    if (parts.sumsA && problem.description.transposeA != CUBLAS_OP_N)
        return unsupported("CUBLASLT_EPILOGUE_BGRADA needs an A that is not transposed.");
    if (parts.sumsB && problem.description.transposeB == CUBLAS_OP_N)
        return unsupported("CUBLASLT_EPILOGUE_BGRADB needs a transposed B.");
    // Known to be refused or to read out of bounds at a size of 1.
    if (parts.readsMask && problem.depth() == 1)
        return unsupported("The gradient of ReLU needs a depth above 1.");
    if (parts.sumsA && problem.columns() == 1)
        return unsupported("CUBLASLT_EPILOGUE_BGRADA needs more than one column of D.");
    if (parts.sumsB && (problem.rows() == 1 || problem.columns() == 1))
        return unsupported("CUBLASLT_EPILOGUE_BGRADB needs more than one row and column of D.");
    return std::nullopt;
}

Verdict firstBrokenRule(const MatmulProblem& problem)
{
    const NamedLayout layouts[] = {
        {"A", &problem.a}, {"B", &problem.b}, {"C", &problem.c}, {"D", &problem.d}};
    for (const NamedLayout& layout : layouts) {
        if (Verdict verdict = checkLayout(layout))
            return verdict;
    }
    if (Verdict verdict = checkTypes(problem))
        return verdict;
    if (Verdict verdict = checkShapes(problem))
        return verdict;
    for (const NamedLayout& layout : layouts) {
        if (Verdict verdict = checkBatch(problem, layout))
            return verdict;
    }
    if (Verdict verdict = checkDefaults(problem.description))
        return verdict;
    return checkEpilogue(problem);
}

} // namespace

std::optional<MatmulProblem> readProblem(cublasLtMatmulDesc_t description, cublasLtMatrixLayout_t a,
                                         cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                         cublasLtMatrixLayout_t d)
{
    for (const cublasLtMatrixLayout_t layout : {a, b, c, d}) {
        if (contents(layout) == nullptr) {
            misuse(CUBLAS_STATUS_INVALID_VALUE,
                   "A matrix layout was destroyed before or never made.");
            return std::nullopt;
        }
    }
    if (contents(description) == nullptr) {
        misuse(CUBLAS_STATUS_INVALID_VALUE,
               "The matmul descriptor was destroyed before or never made.");
        return std::nullopt;
    }
    return MatmulProblem{*contents(description), *contents(a), *contents(b), *contents(c),
                         *contents(d)};
}

cublasStatus_t checkProblem(const MatmulProblem& problem)
{
    const Verdict verdict = firstBrokenRule(problem);
    return verdict ? refuse(verdict->status, verdict->sentence) : CUBLAS_STATUS_SUCCESS;
}

std::size_t elementBytes(std::uint32_t type)
{
    switch (type) {
    case CUDA_R_32F:
        return 4;
    case CUDA_R_16F:
    case CUDA_R_16BF:
        return 2;
    default:
        return 0;
    }
}

std::size_t matrixBytes(const MatrixLayout& layout)
{
    const std::uint64_t elements = static_cast<std::uint64_t>(layout.batchCount - 1)
            * static_cast<std::uint64_t>(layout.batchStride)
        + (layout.columns - 1) * static_cast<std::uint64_t>(layout.leadingDimension) + layout.rows;
    return elements * elementBytes(layout.type);
}

bool sameLayout(const MatrixLayout& first, const MatrixLayout& second)
{
    return std::memcmp(&first, &second, sizeof first) == 0;
}

EpilogueParts partsOf(std::uint32_t epilogue)
{
    EpilogueParts parts;
    parts.known = true;
    switch (epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
        break;
    case CUBLASLT_EPILOGUE_RELU:
        parts.relu = true;
        break;
    case CUBLASLT_EPILOGUE_BIAS:
        parts.addsBias = true;
        break;
    case CUBLASLT_EPILOGUE_RELU_BIAS:
        parts.relu = parts.addsBias = true;
        break;
    case CUBLASLT_EPILOGUE_RELU_AUX:
        parts.relu = parts.writesMask = true;
        break;
    case CUBLASLT_EPILOGUE_RELU_AUX_BIAS:
        parts.relu = parts.writesMask = parts.addsBias = true;
        break;
    case CUBLASLT_EPILOGUE_DRELU:
        parts.readsMask = true;
        break;
    case CUBLASLT_EPILOGUE_DRELU_BGRAD:
        parts.readsMask = parts.sumsRowsOfD = true;
        break;
    case CUBLASLT_EPILOGUE_BGRADA:
        parts.sumsA = true;
        break;
    case CUBLASLT_EPILOGUE_BGRADB:
        parts.sumsB = true;
        break;
    default:
        parts.known = false;
    }
    return parts;
}

std::uint64_t biasLength(const MatmulProblem& problem)
{
    return partsOf(problem.description.epilogue).sumsB ? problem.columns() : problem.rows();
}

} // namespace fullbatch::emulation::cublaslt
