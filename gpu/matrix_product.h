// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cuda_objects.h"
#include "gpu/device_memory.h"

#include <cublasLt.h>

#include <cstdint>
#include <string>

namespace fullbatch {

/// D = op(A) * op(B), all column-major; a batch of them at equal distances. Sizes in numbers.
struct ProductShape
{
    cudaDataType_t inputType = CUDA_R_32F; ///< of A and B
    cudaDataType_t outputType = CUDA_R_32F;
    cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
    std::int64_t rows = 0; ///< of D
    std::int64_t columns = 0; ///< of D
    std::int64_t depth = 0;
    bool transposeA = false;
    bool transposeB = false;
    std::int64_t strideA = 0; ///< between columns, as stored
    std::int64_t strideB = 0;
    std::int64_t strideD = 0;
    std::int32_t batch = 1;
    std::int64_t distanceA = 0; ///< between the matrices of a batch
    std::int64_t distanceB = 0;
    std::int64_t distanceD = 0;
    bool relu = false; ///< D = max(D, 0)

    friend bool operator==(const ProductShape&, const ProductShape&) = default;
};

/// cublasLt with one workspace: for one stream at a time, so that products repeat bit for bit.
class ProductLibrary
{
public:
    explicit ProductLibrary(int computeMajor);
    ~ProductLibrary();
    ProductLibrary(const ProductLibrary&) = delete;
    ProductLibrary& operator=(const ProductLibrary&) = delete;

    /// NVIDIA's recommendation, cuBLAS documentation 2.1.7: 32 MiB from compute capability 9.0 on.
    [[nodiscard]] static std::size_t workspaceBytes(int computeMajor);

    [[nodiscard]] cublasLtHandle_t handle() const { return m_handle; }
    [[nodiscard]] void* workspace() const { return m_workspace.data(); }
    [[nodiscard]] std::size_t workspaceBytes() const { return m_workspaceBytes; }

private:
    std::size_t m_workspaceBytes;
    DeviceMemory m_workspace;
    cublasLtHandle_t m_handle = nullptr;
};

/// One product, planned once: the first algorithm that the library proposes, since a choice by time
/// would not repeat. All matrices must lie on 256 bytes, which is what the library assumes. The
/// library must outlive it.
class MatrixProduct
{
public:
    MatrixProduct(const ProductLibrary& library, const ProductShape& shape);
    ~MatrixProduct();
    MatrixProduct(const MatrixProduct&) = delete;
    MatrixProduct& operator=(const MatrixProduct&) = delete;

    [[nodiscard]] const ProductShape& shape() const { return m_shape; }
    void queue(const Stream& stream, const void* a, const void* b, void* d) const;

private:
    void describe();
    void choose();
    void destroy() noexcept;

    const ProductLibrary& m_library;
    ProductShape m_shape;
    cublasLtMatmulDesc_t m_description = nullptr;
    cublasLtMatrixLayout_t m_a = nullptr;
    cublasLtMatrixLayout_t m_b = nullptr;
    cublasLtMatrixLayout_t m_d = nullptr;
    cublasLtMatmulAlgo_t m_algorithm{};
};

} // namespace fullbatch
