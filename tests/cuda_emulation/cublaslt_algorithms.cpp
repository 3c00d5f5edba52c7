// SPDX-License-Identifier: GPL-3.0-or-later
// Heuristics: which algorithms there are for a problem, and whether one may be used for it.
#include "tests/cuda_emulation/cublaslt_algorithms.h"

#include "tests/cuda_emulation/cublaslt_library.h"
#include "tests/cuda_emulation/device_work.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace fullbatch::emulation::cublaslt {
namespace {

constexpr std::uint64_t algorithmMark = 0x616c676f31333031; // changes with the library's version

/// FNV-1a.
class Fingerprint
{
public:
    template <typename Value>
    void add(Value value)
    {
        unsigned char bytes[sizeof value];
        std::memcpy(bytes, &value, sizeof value);
        for (const unsigned char byte : bytes)
            m_value = (m_value ^ byte) * 0x100000001b3U;
    }
    [[nodiscard]] std::uint64_t value() const { return m_value; }

private:
    std::uint64_t m_value = 0xcbf29ce484222325U;
};

/// Of all that makes a problem, pointers left out.
std::uint64_t fingerprintOf(const MatmulProblem& problem)
{
    Fingerprint fingerprint;
    const MatmulDescription& description = problem.description;
    fingerprint.add(description.computeType);
    fingerprint.add(description.scaleType);
    fingerprint.add(description.transposeA);
    fingerprint.add(description.transposeB);
    fingerprint.add(description.epilogue);
    fingerprint.add(description.biasBatchStride);
    fingerprint.add(description.auxiliaryLeadingDimension);
    fingerprint.add(description.auxiliaryBatchStride);
    for (const MatrixLayout& layout : {problem.a, problem.b, problem.c, problem.d}) {
        fingerprint.add(layout.type);
        fingerprint.add(layout.rows);
        fingerprint.add(layout.columns);
        fingerprint.add(layout.leadingDimension);
        fingerprint.add(layout.batchCount);
        fingerprint.add(layout.batchStride);
    }
    return fingerprint.value();
}

std::uint64_t checksumOf(const cublasLtMatmulAlgo_t& algo)
{
    Fingerprint fingerprint;
    for (std::size_t word = 0; word < 7; ++word)
        fingerprint.add(algo.data[word]);
    return fingerprint.value();
}

cublasLtMatmulAlgo_t written(const Algorithm& algorithm)
{
    cublasLtMatmulAlgo_t algo = {};
    algo.data[0] = algorithmMark;
    algo.data[1] = static_cast<std::uint64_t>(algorithm.id)
        | static_cast<std::uint64_t>(algorithm.architecture) << 32;
    algo.data[2] = algorithm.fingerprint;
    algo.data[3] = algorithm.workspaceBytes;
    algo.data[4] = algorithm.alignments[0] | std::uint64_t{algorithm.alignments[1]} << 32;
    algo.data[5] = algorithm.alignments[2] | std::uint64_t{algorithm.alignments[3]} << 32;
    algo.data[7] = checksumOf(algo);
    return algo;
}

std::uint32_t currentArchitecture()
{
    const std::optional<UsedDevice> used = usedDevice();
    return used ? static_cast<std::uint32_t>(used->facts.major * 10 + used->facts.minor) : 0;
}

std::uint64_t implementationOf(const MatmulProblem& problem)
{
    constexpr std::uint64_t accumulator = CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F;
    constexpr std::uint64_t tensor = CUBLASLT_NUMERICAL_IMPL_FLAGS_HMMA | accumulator;
    if (problem.a.type == CUDA_R_16F)
        return tensor | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16F;
    if (problem.a.type == CUDA_R_16BF)
        return tensor | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_16BF;
    if (problem.description.computeType == CUBLAS_COMPUTE_32F_FAST_TF32)
        return tensor | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_TF32;
    return CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA | accumulator
        | CUBLASLT_NUMERICAL_IMPL_FLAGS_INPUT_32F;
}

/// Loads and stores of 16 bytes need pointers, columns and matrices of a batch aligned to it.
bool takesVectors(const MatmulProblem& problem, const MatmulPreference& preference)
{
    std::size_t matrix = 0;
    for (const MatrixLayout& layout : {problem.a, problem.b, problem.c, problem.d}) {
        const auto bytes = static_cast<std::int64_t>(elementBytes(layout.type));
        if (preference.alignments[matrix++] < 16 || layout.leadingDimension * bytes % 16 != 0
            || layout.batchStride * bytes % 16 != 0)
            return false;
    }
    return true;
}

/// Partial sums in the compute type, one matrix D for each part of the depth.
std::uint64_t splitWorkspace(const MatmulProblem& problem)
{
    const std::uint64_t parts = std::clamp<std::uint64_t>(problem.depth() / 256, 2, 8);
    return parts * problem.rows() * problem.columns() * 4
        * static_cast<std::uint64_t>(problem.d.batchCount);
}

bool checkPreference(const MatmulProblem& problem, const MatmulPreference& preference)
{
    if (preference.searchMode != CUBLASLT_SEARCH_BEST_FIT) {
        refuse(CUBLAS_STATUS_NOT_SUPPORTED, "Only the best-fit search is supported.");
        return false;
    }
    if ((preference.reductionMask & ~std::uint32_t{CUBLASLT_REDUCTION_SCHEME_MASK}) != 0) {
        refuse(CUBLAS_STATUS_NOT_SUPPORTED, "The reduction mask names an unknown scheme.");
        return false;
    }
    if ((implementationOf(problem) & ~preference.implementationMask) != 0) {
        refuse(CUBLAS_STATUS_NOT_SUPPORTED, "The implementation mask leaves no algorithm.");
        return false;
    }
    std::size_t matrix = 0;
    for (const MatrixLayout& layout : {problem.a, problem.b, problem.c, problem.d}) {
        const std::uint32_t alignment = preference.alignments[matrix++];
        if (!std::has_single_bit(alignment) || alignment < elementBytes(layout.type)) {
            refuse(CUBLAS_STATUS_NOT_SUPPORTED,
                   "A promised alignment must be a power of two, at least an element's size.");
            return false;
        }
    }
    return true;
}

/// How full the algorithm's blocks of 64 x 64 make the device.
float wavesOf(const MatmulProblem& problem)
{
    const std::optional<UsedDevice> used = usedDevice();
    const int multiprocessors = used ? used->facts.multiprocessors : 1;
    const std::uint64_t blocks = ((problem.rows() + 63) / 64) * ((problem.columns() + 63) / 64)
        * static_cast<std::uint64_t>(problem.d.batchCount);
    return static_cast<float>(blocks) / static_cast<float>(multiprocessors);
}

} // namespace

cublasStatus_t readAlgorithm(const cublasLtMatmulAlgo_t& algo, const MatmulProblem& problem,
                             Algorithm& algorithm)
{
    if (algo.data[0] != algorithmMark || algo.data[7] != checksumOf(algo))
        return refuse(CUBLAS_STATUS_INVALID_VALUE,
                      "The algorithm was never given by a heuristic, or was changed since.");
    algorithm.id = static_cast<Algorithm::Id>(algo.data[1] & 0xffffffffU);
    algorithm.architecture = static_cast<std::uint32_t>(algo.data[1] >> 32);
    algorithm.fingerprint = algo.data[2];
    algorithm.workspaceBytes = algo.data[3];
    for (std::size_t matrix = 0; matrix < 4; ++matrix)
        algorithm.alignments[matrix] =
            static_cast<std::uint32_t>(algo.data[4 + matrix / 2] >> (matrix % 2 * 32));
    if (algorithm.architecture != currentArchitecture())
        return refuse(CUBLAS_STATUS_ARCH_MISMATCH,
                      "The algorithm was given for a device of another compute capability.");
    if (algorithm.fingerprint != fingerprintOf(problem))
        return refuse(CUBLAS_STATUS_INVALID_VALUE, "The algorithm was given for another problem.");
    return CUBLAS_STATUS_SUCCESS;
}

std::vector<Algorithm> findAlgorithms(const MatmulProblem& problem,
                                      const MatmulPreference& preference)
{
    if (!checkPreference(problem, preference))
        return {};
    Algorithm algorithm;
    algorithm.architecture = currentArchitecture();
    algorithm.fingerprint = fingerprintOf(problem);
    std::copy_n(preference.alignments, 4, algorithm.alignments.begin());

    std::vector<Algorithm> found;
    const std::uint64_t workspace = splitWorkspace(problem);
    if (problem.depth() >= 512 && workspace <= preference.workspaceBytes
        && (preference.reductionMask & CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE) != 0) {
        algorithm.id = Algorithm::Id::SplitDepth;
        algorithm.workspaceBytes = workspace;
        found.push_back(algorithm);
    }
    algorithm.workspaceBytes = 0;
    if (takesVectors(problem, preference)) {
        algorithm.id = Algorithm::Id::Vectors;
        found.push_back(algorithm);
    }
    algorithm.id = Algorithm::Id::Scalars;
    found.push_back(algorithm);
    return found;
}

MatmulPreference implicitPreference(std::uint64_t workspaceBytes,
                                    const std::array<std::uint32_t, 4>& alignments)
{
    cublasLtMatmulPreferenceOpaque_t opaque;
    cublasLtMatmulPreferenceInit(&opaque);
    MatmulPreference preference = *contents(&opaque);
    preference.workspaceBytes = workspaceBytes;
    std::copy(alignments.begin(), alignments.end(), preference.alignments);
    return preference;
}

} // namespace fullbatch::emulation::cublaslt

namespace emulation = fullbatch::emulation;
namespace cublaslt = fullbatch::emulation::cublaslt;

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle,
                                              cublasLtMatmulDesc_t operation,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int* returned)
{
    if (const auto fault = emulation::faultOf(__func__))
        return static_cast<cublasStatus_t>(*fault);
    if (const cublasStatus_t status = cublaslt::checkHandle(handle))
        return status;
    if (requested < 1 || results == nullptr || returned == nullptr)
        return cublaslt::refuse(CUBLAS_STATUS_INVALID_VALUE,
                                "There must be room for at least one algorithm.");
    *returned = 0;
    // Recent versions make contexts of their own for it, which a capture forbids.
    if (emulation::isCapturing(nullptr))
        return cublaslt::misuse(CUBLAS_STATUS_INTERNAL_ERROR,
                                "A heuristic cannot be asked inside a capture.");
    const cublaslt::MatmulPreference* wishes = cublaslt::contents(preference);
    if (wishes == nullptr)
        return cublaslt::refuse(CUBLAS_STATUS_INVALID_VALUE,
                                "The matmul preference was destroyed before or never made.");
    const auto problem = cublaslt::readProblem(operation, a, b, c, d);
    if (!problem)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (const cublasStatus_t status = cublaslt::checkProblem(*problem))
        return status;
    const std::vector<cublaslt::Algorithm> found = cublaslt::findAlgorithms(*problem, *wishes);
    if (found.empty())
        return CUBLAS_STATUS_NOT_SUPPORTED;
    for (const cublaslt::Algorithm& algorithm : found) {
        if (*returned == requested)
            break;
        cublasLtMatmulHeuristicResult_t& result = results[(*returned)++];
        result = {};
        result.algo = cublaslt::written(algorithm);
        result.workspaceSize = algorithm.workspaceBytes;
        result.state = CUBLAS_STATUS_SUCCESS;
        result.wavesCount = cublaslt::wavesOf(*problem);
    }
    return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t operation,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t* algo,
                                       cublasLtMatmulHeuristicResult_t* result)
{
    if (const auto fault = emulation::faultOf(__func__))
        return static_cast<cublasStatus_t>(*fault);
    if (const cublasStatus_t status = cublaslt::checkHandle(handle))
        return status;
    if (algo == nullptr || result == nullptr)
        return cublaslt::refuse(CUBLAS_STATUS_INVALID_VALUE,
                                "The algorithm or the room for the result is missing.");
    const auto problem = cublaslt::readProblem(operation, a, b, c, d);
    if (!problem)
        return CUBLAS_STATUS_INVALID_VALUE;
    if (const cublasStatus_t status = cublaslt::checkProblem(*problem))
        return status;
    cublaslt::Algorithm algorithm;
    if (const cublasStatus_t status = cublaslt::readAlgorithm(*algo, *problem, algorithm))
        return status;
    result->workspaceSize = algorithm.workspaceBytes;
    result->state = CUBLAS_STATUS_SUCCESS;
    result->wavesCount = cublaslt::wavesOf(*problem);
    return CUBLAS_STATUS_SUCCESS;
}
