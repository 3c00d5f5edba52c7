// SPDX-License-Identifier: GPL-3.0-or-later
// cublasLtMatmul(): what a call must hold beside its problem, and the queueing of the product.
#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/cublaslt_algorithms.h"
#include "tests/cuda_emulation/cublaslt_library.h"
#include "tests/cuda_emulation/cublaslt_product.h"
#include "tests/cuda_emulation/device_work.h"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace fullbatch::emulation {
namespace {

std::atomic<ReluOfNan> reluOfNan = ReluOfNan::Zero;

} // namespace

void setReluOfNan(ReluOfNan value)
{
    reluOfNan = value;
}

namespace cublaslt {
namespace {

struct Workspace
{
    void* begin = nullptr;
    std::size_t bytes = 0;
};

struct NamedRange
{
    const char* name;
    DeviceRange range;
};

bool overlap(const DeviceRange& first, const DeviceRange& second)
{
    const auto firstBegin = reinterpret_cast<std::uintptr_t>(first.begin);
    const auto secondBegin = reinterpret_cast<std::uintptr_t>(second.begin);
    return firstBegin < secondBegin + second.bytes && secondBegin < firstBegin + first.bytes;
}

/// Memory that the call reads, without C when D is computed in its place.
std::vector<NamedRange> inputs(const MatmulCall& call)
{
    const MatmulDescription& description = call.problem.description;
    const EpilogueParts parts = partsOf(description.epilogue);
    std::vector<NamedRange> ranges = {{"A", {call.a, matrixBytes(call.problem.a)}},
                                      {"B", {call.b, matrixBytes(call.problem.b)}}};
    if (call.beta != 0 && call.c != call.d)
        ranges.push_back({"C", {call.c, matrixBytes(call.problem.c)}});
    const auto more = static_cast<std::uint64_t>(call.problem.d.batchCount - 1);
    if (parts.addsBias) {
        const std::uint64_t length = more * static_cast<std::uint64_t>(description.biasBatchStride)
            + biasLength(call.problem);
        ranges.push_back(
            {"the bias", {description.bias, length * elementBytes(call.problem.d.type)}});
    }
    return ranges;
}

/// Memory that the call writes, and the mask.
std::vector<NamedRange> outputs(const MatmulCall& call, const Workspace& workspace)
{
    const MatmulDescription& description = call.problem.description;
    const EpilogueParts parts = partsOf(description.epilogue);
    std::vector<NamedRange> ranges = {{"D", {call.d, matrixBytes(call.problem.d)}}};
    const auto more = static_cast<std::uint64_t>(call.problem.d.batchCount - 1);
    if (parts.usesBias() && !parts.addsBias) {
        const std::uint64_t length = more * static_cast<std::uint64_t>(description.biasBatchStride)
            + biasLength(call.problem);
        ranges.push_back(
            {"the bias gradient", {description.bias, length * elementBytes(call.problem.d.type)}});
    }
    if (parts.usesMask()) {
        const std::uint64_t bits =
            more * static_cast<std::uint64_t>(description.auxiliaryBatchStride)
            + call.problem.columns()
                * static_cast<std::uint64_t>(description.auxiliaryLeadingDimension);
        ranges.push_back({"the ReLU mask", {description.auxiliary, bits / 8}});
    }
    if (workspace.bytes > 0)
        ranges.push_back({"the workspace", {workspace.begin, workspace.bytes}});
    return ranges;
}

cublasStatus_t checkMemory(const std::vector<NamedRange>& read,
                           const std::vector<NamedRange>& written)
{
    for (const auto* ranges : {&read, &written}) {
        for (const NamedRange& named : *ranges) {
            if (!isDeviceMemory(named.range.begin, named.range.bytes))
                return misuse(CUBLAS_STATUS_INVALID_VALUE,
                              std::string("Memory of ") + named.name
                                  + " is not inside one live device allocation.");
        }
    }
    for (std::size_t i = 0; i < written.size(); ++i) {
        std::vector<NamedRange> others(read);
        others.insert(others.end(), written.begin(), written.begin() + static_cast<long>(i));
        for (const NamedRange& other : others) {
            if (overlap(written[i].range, other.range))
                return misuse(CUBLAS_STATUS_INVALID_VALUE,
                              std::string("Memory of ") + written[i].name + " and of " + other.name
                                  + " overlaps.");
        }
    }
    return CUBLAS_STATUS_SUCCESS;
}

/// The largest power of two that divides the address, at most 256.
std::uint32_t alignmentOf(const void* pointer)
{
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    return static_cast<std::uint32_t>(std::min<std::uintptr_t>(256, address & (~address + 1)));
}

cublasStatus_t checkPointers(const MatmulCall& call)
{
    for (const void* pointer : {call.a, call.b, call.c, static_cast<const void*>(call.d)}) {
        if (pointer == nullptr)
            return refuse(CUBLAS_STATUS_INVALID_VALUE, "A pointer to a matrix is null.");
    }
    if (call.c == call.d && !sameLayout(call.problem.c, call.problem.d))
        return refuse(CUBLAS_STATUS_INVALID_VALUE,
                      "C and D are in one place, but their layouts differ.");
    const EpilogueParts parts = partsOf(call.problem.description.epilogue);
    if (parts.usesBias() && call.problem.description.bias == nullptr)
        return refuse(CUBLAS_STATUS_INVALID_VALUE, "The epilogue needs a pointer to the bias.");
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t checkAlignments(const MatmulCall& call, const Algorithm& algorithm)
{
    const void* pointers[] = {call.a, call.b, call.c, call.d};
    for (std::size_t matrix = 0; matrix < 4; ++matrix) {
        const std::uint32_t promised = std::min(algorithm.alignments[matrix], 256U);
        if (alignmentOf(pointers[matrix]) < promised)
            return misuse(CUBLAS_STATUS_NOT_SUPPORTED,
                          std::string("Matrix ") + "ABCD"[matrix] + " is aligned to "
                              + std::to_string(alignmentOf(pointers[matrix]))
                              + " bytes, but the preference promised " + std::to_string(promised)
                              + ".");
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t checkWorkspace(const Workspace& workspace, const Algorithm& algorithm)
{
    if (workspace.begin == nullptr && workspace.bytes > 0)
        return refuse(CUBLAS_STATUS_INVALID_VALUE, "The workspace has a size, but no memory.");
    if (reinterpret_cast<std::uintptr_t>(workspace.begin) % 256 != 0)
        return refuse(CUBLAS_STATUS_INVALID_VALUE, "The workspace must be aligned to 256 bytes.");
    if (workspace.bytes < algorithm.workspaceBytes)
        return refuse(CUBLAS_STATUS_INVALID_VALUE,
                      "The workspace has " + std::to_string(workspace.bytes)
                          + " bytes, but the algorithm needs "
                          + std::to_string(algorithm.workspaceBytes) + ".");
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t chooseAlgorithm(const MatmulCall& call, const cublasLtMatmulAlgo_t* algo,
                               std::size_t workspaceBytes, Algorithm& algorithm)
{
    if (algo != nullptr) {
        const cublasStatus_t status = readAlgorithm(*algo, call.problem, algorithm);
        return status == CUBLAS_STATUS_SUCCESS ? status : misuse(status, lastCublasLtRefusal());
    }
    // Without one, the library asks its heuristic on the way.
    if (isCapturing(nullptr))
        return misuse(CUBLAS_STATUS_INTERNAL_ERROR,
                      "Without an algorithm the heuristic is asked, which a capture forbids.");
    const std::vector<Algorithm> found =
        findAlgorithms(call.problem,
                       implicitPreference(workspaceBytes,
                                          {alignmentOf(call.a), alignmentOf(call.b),
                                           alignmentOf(call.c), alignmentOf(call.d)}));
    if (found.empty())
        return CUBLAS_STATUS_NOT_SUPPORTED;
    algorithm = found.front();
    return CUBLAS_STATUS_SUCCESS;
}

/// The library may write anything there at any time: a NaN in every place that is cheap to reach
/// finds out who keeps something of his own in it.
void spoil(const Workspace& workspace)
{
    constexpr std::size_t most = 1 << 16;
    const std::size_t part = std::min(workspace.bytes, most);
    std::memset(workspace.begin, 0xff, part);
    std::memset(static_cast<char*>(workspace.begin) + workspace.bytes - part, 0xff, part);
}

cublasStatus_t queue(const MatmulCall& call, const Workspace& workspace, cudaStream_t stream)
{
    const std::vector<NamedRange> read = inputs(call);
    const std::vector<NamedRange> written = outputs(call, workspace);
    if (const cublasStatus_t status = checkMemory(read, written))
        return status;
    DeviceWork work;
    work.name = "cublasLtMatmul";
    for (const auto* ranges : {&read, &written}) {
        for (const NamedRange& named : *ranges)
            work.ranges.push_back(named.range);
    }
    work.run = [call, workspace] {
        if (workspace.bytes > 0)
            spoil(workspace);
        compute(call);
        return cudaSuccess;
    };
    if (enqueue(stream, std::move(work)) != cudaSuccess)
        return refuse(CUBLAS_STATUS_EXECUTION_FAILED, "The product could not be queued.");
    return CUBLAS_STATUS_SUCCESS;
}

} // namespace
} // namespace cublaslt
} // namespace fullbatch::emulation

namespace emulation = fullbatch::emulation;
namespace cublaslt = fullbatch::emulation::cublaslt;

cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                              const void* alpha, const void* a, cublasLtMatrixLayout_t aLayout,
                              const void* b, cublasLtMatrixLayout_t bLayout, const void* beta,
                              const void* c, cublasLtMatrixLayout_t cLayout, void* d,
                              cublasLtMatrixLayout_t dLayout, const cublasLtMatmulAlgo_t* algo,
                              void* workspace, std::size_t workspaceBytes, cudaStream_t stream)
{
    if (const auto fault = emulation::faultOf(__func__))
        return static_cast<cublasStatus_t>(*fault);
    if (const cublasStatus_t status = cublaslt::checkHandle(handle))
        return status;
    const auto problem = cublaslt::readProblem(operation, aLayout, bLayout, cLayout, dLayout);
    if (!problem)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (const cublasStatus_t status = cublaslt::checkProblem(*problem))
        return status;
    for (const void* scalar : {alpha, beta}) {
        if (scalar == nullptr || emulation::isDeviceMemory(scalar, sizeof(float)))
            return cublaslt::misuse(CUBLAS_STATUS_INVALID_VALUE,
                                    "alpha and beta must be in host memory.");
    }
    cublaslt::MatmulCall call{*problem, 1, 0, a, b, c, d, emulation::reluOfNan.load()};
    std::memcpy(&call.alpha, alpha, sizeof call.alpha);
    std::memcpy(&call.beta, beta, sizeof call.beta);
    if (const cublasStatus_t status = cublaslt::checkPointers(call))
        return status;
    const cublaslt::Workspace room = {workspace, workspaceBytes};
    cublaslt::Algorithm algorithm;
    if (const cublasStatus_t status =
            cublaslt::chooseAlgorithm(call, algo, workspaceBytes, algorithm))
        return status;
    if (const cublasStatus_t status = cublaslt::checkAlignments(call, algorithm))
        return status;
    if (const cublasStatus_t status = cublaslt::checkWorkspace(room, algorithm))
        return status;
    return cublaslt::queue(call, room, stream);
}
