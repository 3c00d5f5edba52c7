// SPDX-License-Identifier: GPL-3.0-or-later
// What the engine tells the real cublasLt about its products: the descriptors of MatrixProduct,
// read back from the library at the moment when its heuristic is asked. Needs the library and no
// driver: the linker puts the functions that would need one aside (--wrap).
#include "gpu/arithmetic.h"
#include "gpu/matrix_product.h"

#include <cstdio>
#include <exception>
#include <utility>
#include <vector>

namespace {

int failures = 0;

void check(bool passed, const std::string& what)
{
    if (!passed) {
        std::printf("FAIL %s\n", what.c_str());
        ++failures;
    }
}

/// A matrix layout as the library holds it.
struct ReadLayout
{
    std::uint32_t type = 0;
    std::int32_t order = -1;
    std::uint64_t rows = 0;
    std::uint64_t columns = 0;
    std::int64_t leading = 0;
    std::int32_t batch = 0;
    std::int64_t distance = 0;
};

/// What a heuristic was asked.
struct Question
{
    std::int32_t compute = 0;
    std::int32_t scale = 0;
    std::int32_t pointerMode = 0;
    std::int32_t transposeA = 0;
    std::int32_t transposeB = 0;
    std::uint32_t epilogue = 0;
    void* bias = nullptr;
    ReadLayout a;
    ReadLayout b;
    ReadLayout c;
    ReadLayout d;
    std::uint64_t workspace = 0;
    std::uint32_t reductions = 0;
    std::uint32_t alignments[4] = {};
};

std::vector<Question> questions;
cublasStatus_t statusOfCreate = CUBLAS_STATUS_SUCCESS;

template <typename Value>
void read(cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t attribute, Value& value)
{
    std::size_t written = 0;
    check(cublasLtMatmulDescGetAttribute(description, attribute, &value, sizeof value, &written)
                  == CUBLAS_STATUS_SUCCESS
              && written == sizeof value,
          "an attribute of the operation cannot be read");
}

template <typename Value>
void read(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute, Value& value)
{
    std::size_t written = 0;
    check(cublasLtMatrixLayoutGetAttribute(layout, attribute, &value, sizeof value, &written)
                  == CUBLAS_STATUS_SUCCESS
              && written == sizeof value,
          "an attribute of a layout cannot be read");
}

template <typename Value>
void read(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute,
          Value& value)
{
    std::size_t written = 0;
    check(
        cublasLtMatmulPreferenceGetAttribute(preference, attribute, &value, sizeof value, &written)
                == CUBLAS_STATUS_SUCCESS
            && written == sizeof value,
        "an attribute of the preference cannot be read");
}

ReadLayout readLayout(cublasLtMatrixLayout_t layout)
{
    ReadLayout all;
    read(layout, CUBLASLT_MATRIX_LAYOUT_TYPE, all.type);
    read(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, all.order);
    read(layout, CUBLASLT_MATRIX_LAYOUT_ROWS, all.rows);
    read(layout, CUBLASLT_MATRIX_LAYOUT_COLS, all.columns);
    read(layout, CUBLASLT_MATRIX_LAYOUT_LD, all.leading);
    read(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, all.batch);
    read(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, all.distance);
    return all;
}

} // namespace

// In place of the functions that need a driver; __real_ is the library's.
extern "C" {
cublasStatus_t __real_cublasLtCreate(cublasLtHandle_t* handle);

cublasStatus_t __wrap_cublasLtCreate(cublasLtHandle_t* handle)
{
    statusOfCreate = __real_cublasLtCreate(handle);
    if (statusOfCreate != CUBLAS_STATUS_SUCCESS)
        *handle = nullptr;
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t __real_cublasLtDestroy(cublasLtHandle_t handle);

cublasStatus_t __wrap_cublasLtDestroy(cublasLtHandle_t handle)
{
    return handle == nullptr ? CUBLAS_STATUS_SUCCESS : __real_cublasLtDestroy(handle);
}

cudaError_t __wrap_cudaMalloc(void** memory, std::size_t)
{
    alignas(256) static char nowhere[256];
    *memory = nowhere;
    return cudaSuccess;
}

cudaError_t __wrap_cudaFree(void*)
{
    return cudaSuccess;
}

cublasStatus_t
__wrap_cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t, cublasLtMatmulDesc_t operation,
                                      cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                      cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                      cublasLtMatmulPreference_t preference, int,
                                      cublasLtMatmulHeuristicResult_t results[], int* returned)
{
    Question question;
    read(operation, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, question.compute);
    read(operation, CUBLASLT_MATMUL_DESC_SCALE_TYPE, question.scale);
    read(operation, CUBLASLT_MATMUL_DESC_POINTER_MODE, question.pointerMode);
    read(operation, CUBLASLT_MATMUL_DESC_TRANSA, question.transposeA);
    read(operation, CUBLASLT_MATMUL_DESC_TRANSB, question.transposeB);
    read(operation, CUBLASLT_MATMUL_DESC_EPILOGUE, question.epilogue);
    read(operation, CUBLASLT_MATMUL_DESC_BIAS_POINTER, question.bias);
    question.a = readLayout(a);
    question.b = readLayout(b);
    question.c = readLayout(c);
    question.d = readLayout(d);
    read(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, question.workspace);
    read(preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, question.reductions);
    read(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, question.alignments[0]);
    read(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, question.alignments[1]);
    read(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, question.alignments[2]);
    read(preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, question.alignments[3]);
    questions.push_back(question);
    results[0] = {};
    results[0].state = CUBLAS_STATUS_SUCCESS;
    *returned = 1;
    return CUBLAS_STATUS_SUCCESS;
}
} // extern "C"

namespace {

using namespace fullbatch;

/// What is not as it should be.
using Differences = std::vector<std::string>;

void expect(Differences& differences, bool right, const std::string& what)
{
    if (!right)
        differences.push_back(what);
}

struct Stored
{
    cudaDataType_t type;
    std::int64_t rows;
    std::int64_t columns;
    std::int64_t stride;
    std::int64_t distance;
};

void compare(Differences& differences, const ReadLayout& found, const Stored& wanted,
             std::int32_t batch, const std::string& name)
{
    expect(differences, found.type == static_cast<std::uint32_t>(wanted.type), name + ": type");
    expect(differences, found.order == CUBLASLT_ORDER_COL, name + ": order");
    expect(differences,
           found.rows == static_cast<std::uint64_t>(wanted.rows)
               && found.columns == static_cast<std::uint64_t>(wanted.columns),
           name + ": rows and columns");
    expect(differences, found.leading == wanted.stride && found.leading >= wanted.rows,
           name + ": leading dimension");
    expect(differences, found.batch == batch, name + ": batch");
    expect(differences, batch == 1 || found.distance == wanted.distance, name + ": distance");
}

/// Between what the library was asked and the shape.
Differences differences(const Question& asked, const ProductShape& shape,
                        std::size_t workspaceBytes)
{
    Differences all;
    const auto operation = [](bool transposed) { return transposed ? CUBLAS_OP_T : CUBLAS_OP_N; };
    const auto epilogue = shape.relu ? CUBLASLT_EPILOGUE_RELU : CUBLASLT_EPILOGUE_DEFAULT;
    expect(all, asked.compute == shape.compute && asked.scale == CUDA_R_32F, "compute and scale");
    expect(all, asked.pointerMode == CUBLASLT_POINTER_MODE_HOST, "pointers to scalars");
    expect(all,
           asked.transposeA == operation(shape.transposeA)
               && asked.transposeB == operation(shape.transposeB),
           "transpositions");
    expect(all, asked.epilogue == static_cast<std::uint32_t>(epilogue) && asked.bias == nullptr,
           "epilogue");
    Stored a = {shape.inputType, shape.rows, shape.depth, shape.strideA, shape.distanceA};
    Stored b = {shape.inputType, shape.depth, shape.columns, shape.strideB, shape.distanceB};
    const Stored d = {shape.outputType, shape.rows, shape.columns, shape.strideD, shape.distanceD};
    if (shape.transposeA)
        std::swap(a.rows, a.columns);
    if (shape.transposeB)
        std::swap(b.rows, b.columns);
    compare(all, asked.a, a, shape.batch, "A");
    compare(all, asked.b, b, shape.batch, "B");
    compare(all, asked.c, d, shape.batch, "C");
    compare(all, asked.d, d, shape.batch, "D");
    expect(all, asked.workspace == workspaceBytes, "workspace");
    expect(all, (asked.reductions & CUBLASLT_REDUCTION_SCHEME_OUTPUT_TYPE) == 0,
           "partial sums in the output's type");
    for (const std::uint32_t alignment : asked.alignments)
        expect(all, alignment == 256, "promised alignment");
    return all;
}

void checkProduct(const ProductLibrary& library, const ProductShape& shape, const std::string& name)
{
    questions.clear();
    const MatrixProduct product(library, shape);
    check(questions.size() == 1, name + ": the heuristic is asked once");
    if (questions.empty())
        return;
    const Question& asked = questions.front();
    for (const std::string& difference : differences(asked, shape, library.workspaceBytes()))
        check(false, std::string(name).append(": ").append(difference));

    // The comparison must see another product.
    std::vector<ProductShape> others(8, shape);
    others[0].transposeA = !shape.transposeA;
    others[1].relu = !shape.relu;
    others[2].depth += 8;
    others[3].strideD += 8;
    others[4].batch += 1;
    others[5].outputType = CUDA_R_64F;
    others[6].compute = CUBLAS_COMPUTE_64F;
    others[7].rows -= 1;
    for (const ProductShape& other : others)
        check(!differences(asked, other, library.workspaceBytes()).empty(),
              name + ": another product was not noticed");
    check(!differences(asked, shape, library.workspaceBytes() - 1).empty(),
          name + ": another workspace was not noticed");
}

/// The three kinds of product that an epoch has, for a layer of 64 x 64 over 4,000 rows.
void checkProducts()
{
    const ProductLibrary library(9);
    for (const Precision precision : gpuPrecisions) {
        const Arithmetic arithmetic = arithmeticOf(precision);
        ProductShape forward;
        forward.inputType = forward.outputType = arithmetic.type;
        forward.compute = arithmetic.compute;
        forward.rows = forward.depth = forward.strideA = forward.strideB = forward.strideD = 64;
        forward.columns = 4000;
        forward.relu = true;
        const std::string name = "precision " + std::to_string(static_cast<int>(precision));
        checkProduct(library, forward, name + ", forward");

        ProductShape backward = forward;
        backward.relu = false;
        backward.transposeA = true;
        checkProduct(library, backward, name + ", backward");

        ProductShape gradient = forward;
        gradient.relu = false;
        gradient.outputType = CUDA_R_32F;
        gradient.columns = 64;
        gradient.depth = 160;
        gradient.transposeB = true;
        gradient.batch = 25;
        gradient.distanceA = gradient.distanceB = 64 * 160;
        gradient.distanceD = 64 * 64;
        checkProduct(library, gradient, name + ", gradient");
    }
}

} // namespace

int main()
{
    try {
        checkProducts();
    } catch (const std::exception& error) {
        check(false, error.what());
    }
    int driver = 0;
    if (cudaDriverGetVersion(&driver) == cudaSuccess && driver == 0)
        check(statusOfCreate == CUBLAS_STATUS_NOT_INITIALIZED,
              "cublasLtCreate without a driver gave " + std::to_string(statusOfCreate));
    std::printf("%d failed\n", failures);
    return failures == 0 ? 0 : 1;
}
