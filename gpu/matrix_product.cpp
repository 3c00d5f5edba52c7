// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/matrix_product.h"

#include "gpu/cuda_error.h"

namespace fullbatch {

namespace {

/// How a product that is cut along its depth may be put together: all of these repeat bit for bit,
/// and none rounds a partial sum to 16 bits.
std::uint32_t reductionSchemes(cudaDataType_t outputType)
{
    return outputType == CUDA_R_32F
        ? CUBLASLT_REDUCTION_SCHEME_INPLACE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE
        : CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE;
}

template <typename Value>
void setAttribute(cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t attribute,
                  const Value& value)
{
    check(cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value),
          "cublasLtMatmulDescSetAttribute");
}

template <typename Value>
void setAttribute(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute,
                  const Value& value)
{
    check(cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof value),
          "cublasLtMatrixLayoutSetAttribute");
}

template <typename Value>
void setAttribute(cublasLtMatmulPreference_t preference,
                  cublasLtMatmulPreferenceAttributes_t attribute, const Value& value)
{
    check(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof value),
          "cublasLtMatmulPreferenceSetAttribute");
}

void makeLayout(cublasLtMatrixLayout_t& layout, cudaDataType_t type, std::int64_t rows,
                std::int64_t columns, std::int64_t stride, std::int32_t batch,
                std::int64_t distance)
{
    check(cublasLtMatrixLayoutCreate(&layout, type, static_cast<std::uint64_t>(rows),
                                     static_cast<std::uint64_t>(columns), stride),
          "cublasLtMatrixLayoutCreate");
    if (batch > 1) {
        setAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, batch);
        setAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, distance);
    }
}

/// What an algorithm may use.
class Preference
{
public:
    Preference(std::size_t workspaceBytes, cudaDataType_t outputType)
    {
        check(cublasLtMatmulPreferenceCreate(&m_preference), "cublasLtMatmulPreferenceCreate");
        try {
            setAttribute(m_preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                         static_cast<std::uint64_t>(workspaceBytes));
            setAttribute(m_preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
                         reductionSchemes(outputType));
        } catch (...) {
            destroy();
            throw;
        }
    }
    ~Preference() { destroy(); }
    Preference(const Preference&) = delete;
    Preference& operator=(const Preference&) = delete;

    [[nodiscard]] cublasLtMatmulPreference_t get() const { return m_preference; }

private:
    void destroy() noexcept { (void)cublasLtMatmulPreferenceDestroy(m_preference); }
    cublasLtMatmulPreference_t m_preference = nullptr;
};

} // namespace

std::size_t ProductLibrary::workspaceBytes(int computeMajor)
{
    return std::size_t{computeMajor >= 9 ? 32U : 4U} << 20U;
}

ProductLibrary::ProductLibrary(int computeMajor)
    : m_workspaceBytes(workspaceBytes(computeMajor)),
      m_workspace(m_workspaceBytes)
{
    check(cublasLtCreate(&m_handle), "cublasLtCreate");
}

ProductLibrary::~ProductLibrary()
{
    (void)cublasLtDestroy(m_handle);
}

MatrixProduct::MatrixProduct(const ProductLibrary& library, const ProductShape& shape)
    : m_library(library),
      m_shape(shape)
{
    try {
        describe();
        choose();
    } catch (...) {
        destroy();
        throw;
    }
}

MatrixProduct::~MatrixProduct()
{
    destroy();
}

void MatrixProduct::destroy() noexcept
{
    for (const cublasLtMatrixLayout_t layout : {m_a, m_b, m_d})
        if (layout != nullptr)
            (void)cublasLtMatrixLayoutDestroy(layout);
    if (m_description != nullptr)
        (void)cublasLtMatmulDescDestroy(m_description);
}

void MatrixProduct::describe()
{
    const ProductShape& s = m_shape;
    check(cublasLtMatmulDescCreate(&m_description, s.compute, CUDA_R_32F),
          "cublasLtMatmulDescCreate");
    const auto operation = [](bool transpose) -> std::int32_t {
        return transpose ? CUBLAS_OP_T : CUBLAS_OP_N;
    };
    setAttribute(m_description, CUBLASLT_MATMUL_DESC_TRANSA, operation(s.transposeA));
    setAttribute(m_description, CUBLASLT_MATMUL_DESC_TRANSB, operation(s.transposeB));
    const cublasLtEpilogue_t epilogue = s.relu ? CUBLASLT_EPILOGUE_RELU : CUBLASLT_EPILOGUE_DEFAULT;
    setAttribute(m_description, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    makeLayout(m_a, s.inputType, s.transposeA ? s.depth : s.rows, s.transposeA ? s.rows : s.depth,
               s.strideA, s.batch, s.distanceA);
    makeLayout(m_b, s.inputType, s.transposeB ? s.columns : s.depth,
               s.transposeB ? s.depth : s.columns, s.strideB, s.batch, s.distanceB);
    makeLayout(m_d, s.outputType, s.rows, s.columns, s.strideD, s.batch, s.distanceD);
}

void MatrixProduct::choose()
{
    const Preference preference(m_library.workspaceBytes(), m_shape.outputType);
    cublasLtMatmulHeuristicResult_t found{};
    int count = 0;
    check(cublasLtMatmulAlgoGetHeuristic(m_library.handle(), m_description, m_a, m_b, m_d, m_d,
                                         preference.get(), 1, &found, &count),
          "cublasLtMatmulAlgoGetHeuristic");
    check(count > 0 ? found.state : CUBLAS_STATUS_NOT_SUPPORTED, "cublasLtMatmulAlgoGetHeuristic");
    m_algorithm = found.algo;
}

void MatrixProduct::queue(const Stream& stream, const void* a, const void* b, void* d) const
{
    const float one = 1;
    const float zero = 0;
    check(cublasLtMatmul(m_library.handle(), m_description, &one, a, m_a, b, m_b, &zero, d, m_d, d,
                         m_d, &m_algorithm, m_library.workspace(), m_library.workspaceBytes(),
                         stream.get()),
          "cublasLtMatmul");
}

} // namespace fullbatch
