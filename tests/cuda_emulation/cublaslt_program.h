// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cublasLt.h>
#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fullbatch::emulation {

/// What a product is made of; the tests change one thing at a time.
struct ProductCase
{
    std::string name;
    cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
    cudaDataType input = CUDA_R_32F;
    cudaDataType output = CUDA_R_32F;
    std::uint64_t rows = 20;
    std::uint64_t columns = 37;
    std::uint64_t depth = 24;
    std::uint64_t extraLeading = 0; ///< added to every leading dimension
    std::int32_t batch = 1;
    bool transposeA = false;
    bool transposeB = false;
    std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
    float alpha = 1;
    float beta = 0;
    bool inPlace = true; ///< C is D
};

/// A small right program that multiplies matrices in device memory: one object a problem, which it
/// sets up in the constructor and takes down in the destructor. Every part is open, so that a test
/// can spoil one of them. It throws std::runtime_error when a call of the setting up fails.
class MatmulProgram
{
public:
    explicit MatmulProgram(const ProductCase& product);
    ~MatmulProgram();
    MatmulProgram(const MatmulProgram&) = delete;
    MatmulProgram& operator=(const MatmulProgram&) = delete;

    /// Asks the heuristic for one algorithm.
    cublasStatus_t ask();
    /// Queues the product with that algorithm.
    cublasStatus_t multiply();
    /// ask(), multiply() and the wait for the stream.
    cublasStatus_t run();

    /// Device memory, freed with the program.
    [[nodiscard]] std::uint8_t* allocate(std::size_t bytes);
    /// Puts values into device memory, and reads them; both wait.
    void write(void* device, const std::vector<std::uint8_t>& bytes);
    [[nodiscard]] std::vector<std::uint8_t> read(const void* device, std::size_t bytes);

    ProductCase product;
    cublasLtHandle_t handle = nullptr;
    cublasLtMatmulDesc_t description = nullptr;
    cublasLtMatrixLayout_t layoutA = nullptr;
    cublasLtMatrixLayout_t layoutB = nullptr;
    cublasLtMatrixLayout_t layoutC = nullptr;
    cublasLtMatrixLayout_t layoutD = nullptr;
    cublasLtMatmulPreference_t preference = nullptr;
    cublasLtMatmulHeuristicResult_t found = {};
    std::uint8_t* a = nullptr;
    std::uint8_t* b = nullptr;
    std::uint8_t* c = nullptr; ///< equal to d when in place
    std::uint8_t* d = nullptr;
    std::uint8_t* bias = nullptr; ///< null when the epilogue has none
    std::uint8_t* mask = nullptr;
    std::uint8_t* workspace = nullptr;
    std::size_t bytesA = 0;
    std::size_t bytesB = 0;
    std::size_t bytesD = 0; ///< of C too
    std::size_t bytesBias = 0;
    std::size_t bytesMask = 0;
    std::size_t workspaceBytes = 1 << 20;
    std::int64_t maskLeading = 0; ///< in bits
    cudaStream_t stream = nullptr;
    const void* alpha = nullptr; ///< to product.alpha
    const void* beta = nullptr;

private:
    void make();
    void release();
    void makeLayouts();
    void makeEpilogue();

    std::vector<void*> m_allocations;
};

/// Throws std::runtime_error unless the call succeeded.
void demand(cublasStatus_t status, const char* call);
void demand(cudaError_t error, const char* call);

/// set() sets an attribute of a descriptor.
template <typename Value>
void set(cublasLtMatmulDesc_t description, cublasLtMatmulDescAttributes_t attribute,
         const Value& value)
{
    demand(cublasLtMatmulDescSetAttribute(description, attribute, &value, sizeof value),
           "cublasLtMatmulDescSetAttribute");
}

template <typename Value>
void set(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t attribute,
         const Value& value)
{
    demand(cublasLtMatrixLayoutSetAttribute(layout, attribute, &value, sizeof value),
           "cublasLtMatrixLayoutSetAttribute");
}

template <typename Value>
void set(cublasLtMatmulPreference_t preference, cublasLtMatmulPreferenceAttributes_t attribute,
         const Value& value)
{
    demand(cublasLtMatmulPreferenceSetAttribute(preference, attribute, &value, sizeof value),
           "cublasLtMatmulPreferenceSetAttribute");
}

} // namespace fullbatch::emulation
