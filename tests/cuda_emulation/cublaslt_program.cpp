// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/cublaslt_program.h"

#include <stdexcept>

namespace fullbatch::emulation {
namespace {

std::uint64_t bytesOf(cudaDataType type)
{
    return type == CUDA_R_32F ? 4 : 2;
}

} // namespace

void demand(cublasStatus_t status, const char* call)
{
    if (status != CUBLAS_STATUS_SUCCESS)
        throw std::runtime_error(std::string(call) + ": " + cublasLtGetStatusName(status));
}

void demand(cudaError_t error, const char* call)
{
    if (error != cudaSuccess)
        throw std::runtime_error(std::string(call) + ": " + cudaGetErrorName(error));
}

MatmulProgram::MatmulProgram(const ProductCase& what)
    : product(what),
      alpha(&product.alpha),
      beta(&product.beta)
{
    try {
        make();
    } catch (...) {
        release();
        throw;
    }
}

MatmulProgram::~MatmulProgram()
{
    release();
}

void MatmulProgram::make()
{
    demand(cublasLtCreate(&handle), "cublasLtCreate");
    demand(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    demand(cublasLtMatmulDescCreate(&description, product.compute, CUDA_R_32F),
           "cublasLtMatmulDescCreate");
    makeLayouts();
    makeEpilogue();
    workspace = allocate(workspaceBytes);
    demand(cublasLtMatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
    set(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, std::uint64_t{workspaceBytes});
}

void MatmulProgram::release()
{
    cublasLtMatmulPreferenceDestroy(preference);
    for (cublasLtMatrixLayout_t layout : {layoutA, layoutB, layoutC, layoutD})
        cublasLtMatrixLayoutDestroy(layout);
    cublasLtMatmulDescDestroy(description);
    for (void* memory : m_allocations)
        cudaFree(memory);
    if (stream != nullptr)
        cudaStreamDestroy(stream);
    if (handle != nullptr)
        cublasLtDestroy(handle);
}

std::uint8_t* MatmulProgram::allocate(std::size_t bytes)
{
    void* memory = nullptr;
    demand(cudaMalloc(&memory, bytes), "cudaMalloc");
    m_allocations.push_back(memory);
    return static_cast<std::uint8_t*>(memory);
}

void MatmulProgram::makeLayouts()
{
    const auto make = [this](cublasLtMatrixLayout_t& layout, cudaDataType type, std::uint64_t rows,
                             std::uint64_t columns) {
        const std::uint64_t leading = rows + product.extraLeading;
        const std::uint64_t stride = leading * columns;
        demand(cublasLtMatrixLayoutCreate(&layout, type, rows, columns,
                                          static_cast<std::int64_t>(leading)),
               "cublasLtMatrixLayoutCreate");
        set(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, product.batch);
        set(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, static_cast<std::int64_t>(stride));
        return stride * static_cast<std::uint64_t>(product.batch) * bytesOf(type);
    };
    const std::uint64_t rows = product.rows;
    const std::uint64_t columns = product.columns;
    const std::uint64_t depth = product.depth;
    bytesA = product.transposeA ? make(layoutA, product.input, depth, rows)
                                : make(layoutA, product.input, rows, depth);
    bytesB = product.transposeB ? make(layoutB, product.input, columns, depth)
                                : make(layoutB, product.input, depth, columns);
    make(layoutC, product.output, rows, columns);
    bytesD = make(layoutD, product.output, rows, columns);
    a = allocate(bytesA);
    b = allocate(bytesB);
    d = allocate(bytesD);
    c = product.inPlace ? d : allocate(bytesD);
    set(description, CUBLASLT_MATMUL_DESC_TRANSA,
        std::int32_t{product.transposeA ? CUBLAS_OP_T : CUBLAS_OP_N});
    set(description, CUBLASLT_MATMUL_DESC_TRANSB,
        std::int32_t{product.transposeB ? CUBLAS_OP_T : CUBLAS_OP_N});
}

void MatmulProgram::makeEpilogue()
{
    const std::uint32_t epilogue = product.epilogue;
    set(description, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
    // Bits of cublasLtEpilogue_t: 4 bias, 16 bias gradient, 256 and 512 over A and B, 128 mask.
    if ((epilogue & (4 | 16 | 256 | 512)) != 0) {
        const std::uint64_t length = (epilogue & 512) != 0 ? product.columns : product.rows;
        bytesBias = length * static_cast<std::uint64_t>(product.batch) * bytesOf(product.output);
        bias = allocate(bytesBias);
        set(description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, bias);
        set(description, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, static_cast<std::int64_t>(length));
    }
    if ((epilogue & 128) != 0) {
        maskLeading = static_cast<std::int64_t>((product.rows + 127) / 128 * 128);
        const std::int64_t stride = maskLeading * static_cast<std::int64_t>(product.columns);
        bytesMask = static_cast<std::size_t>(stride * product.batch / 8);
        mask = allocate(bytesMask);
        set(description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, mask);
        set(description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, maskLeading);
        set(description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, stride);
    }
}

cublasStatus_t MatmulProgram::ask()
{
    int count = 0;
    const cublasStatus_t status = cublasLtMatmulAlgoGetHeuristic(
        handle, description, layoutA, layoutB, layoutC, layoutD, preference, 1, &found, &count);
    return status == CUBLAS_STATUS_SUCCESS && count != 1 ? CUBLAS_STATUS_NOT_SUPPORTED : status;
}

cublasStatus_t MatmulProgram::multiply()
{
    return cublasLtMatmul(handle, description, alpha, a, layoutA, b, layoutB, beta, c, layoutC, d,
                          layoutD, &found.algo, workspace, workspaceBytes, stream);
}

cublasStatus_t MatmulProgram::run()
{
    cublasStatus_t status = ask();
    if (status == CUBLAS_STATUS_SUCCESS)
        status = multiply();
    if (status == CUBLAS_STATUS_SUCCESS && cudaStreamSynchronize(stream) != cudaSuccess)
        status = CUBLAS_STATUS_EXECUTION_FAILED;
    return status;
}

void MatmulProgram::write(void* device, const std::vector<std::uint8_t>& bytes)
{
    demand(cudaMemcpyAsync(device, bytes.data(), bytes.size(), cudaMemcpyHostToDevice, stream),
           "cudaMemcpyAsync");
    demand(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
}

std::vector<std::uint8_t> MatmulProgram::read(const void* device, std::size_t bytes)
{
    std::vector<std::uint8_t> values(bytes);
    demand(cudaMemcpyAsync(values.data(), device, bytes, cudaMemcpyDeviceToHost, stream),
           "cudaMemcpyAsync");
    demand(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    return values;
}

} // namespace fullbatch::emulation
