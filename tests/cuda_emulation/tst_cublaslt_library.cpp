// SPDX-License-Identifier: GPL-3.0-or-later
// Heuristics and their algorithms, handles, descriptors, faults on demand.
#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/cublaslt_checks.h"
#include "tests/cuda_emulation/cublaslt_control.h"

#include <cstring>
#include <exception>

namespace fullbatch::emulation {
namespace {

/// The same problem at other pointers is the same problem; another size is not.
void checkAlgorithms()
{
    MatmulProgram program({});
    demand(program.ask(), "heuristic");
    cublasLtMatmulHeuristicResult_t result = {};
    const auto algoCheck = [&] {
        return cublasLtMatmulAlgoCheck(program.handle, program.description, program.layoutA,
                                       program.layoutB, program.layoutC, program.layoutD,
                                       &program.found.algo, &result);
    };
    check(algoCheck() == CUBLAS_STATUS_SUCCESS && result.state == CUBLAS_STATUS_SUCCESS,
          "an algorithm that was stored can be used again");
    // Bytes kept in a file and read back.
    cublasLtMatmulAlgo_t stored;
    std::memcpy(&stored, &program.found.algo, sizeof stored);
    program.found.algo = stored;
    check(algoCheck() == CUBLAS_STATUS_SUCCESS, "a copy of an algorithm is as good");

    setDevices({EmulatedDevice{"Other", 8, 6, 1 << 30, 20}});
    check(algoCheck() == CUBLAS_STATUS_ARCH_MISMATCH, "an algorithm of another architecture");
    setDevices({EmulatedDevice{}});

    ProductCase larger;
    larger.columns = 38;
    MatmulProgram other(larger);
    other.found = program.found;
    check(cublasLtMatmulAlgoCheck(other.handle, other.description, other.layoutA, other.layoutB,
                                  other.layoutC, other.layoutD, &other.found.algo, &result)
                  == invalid
              && other.multiply() == invalid,
          "an algorithm of another size");
    (void)brokenRules();
}

/// How many algorithms there are, and what a preference leaves of them.
void checkHeuristic()
{
    ProductCase deep;
    deep.depth = 1024;
    deep.columns = 36;
    MatmulProgram program(deep);
    cublasLtMatmulHeuristicResult_t results[8];
    int count = 0;
    const auto ask = [&](int room) {
        return cublasLtMatmulAlgoGetHeuristic(program.handle, program.description, program.layoutA,
                                              program.layoutB, program.layoutC, program.layoutD,
                                              program.preference, room, results, &count);
    };
    check(ask(8) == CUBLAS_STATUS_SUCCESS && count == 3, "three algorithms for a deep product");
    check(results[0].workspaceSize > 0, "the first splits the depth, in the workspace");
    check(ask(2) == CUBLAS_STATUS_SUCCESS && count == 2, "never more than there is room for");
    check(ask(0) == invalid, "no room at all");
    set(program.preference, CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, std::uint32_t{0});
    check(ask(8) == CUBLAS_STATUS_SUCCESS && count == 2 && results[0].workspaceSize == 0,
          "no splitting when no reduction is allowed");
    set(program.preference, CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, std::uint32_t{8});
    check(ask(8) == CUBLAS_STATUS_SUCCESS && count == 1, "no vectors when B may lie anywhere");
    cublasLtMatmulPreferenceDestroy(program.preference);
    check(ask(8) == invalid, "a destroyed preference");
    demand(cublasLtMatmulPreferenceCreate(&program.preference), "preference");
    check(ask(8) == CUBLAS_STATUS_SUCCESS && results[0].workspaceSize == 0,
          "no workspace by default");
    (void)brokenRules();
}

void checkFaults()
{
    const auto fails = [](const char* function, int status) {
        failCall(function, 1, status);
        try {
            MatmulProgram program({});
            return program.run() == static_cast<cublasStatus_t>(status);
        } catch (const std::exception& error) {
            return std::string(error.what())
                       .find(cublasLtGetStatusName(static_cast<cublasStatus_t>(status)))
                != std::string::npos;
        }
    };
    for (const int status : {1, 3, 7, 8, 11, 13, 14, 15, 16}) {
        check(fails("cublasLtMatmul", status), "cublasLtMatmul with status on demand");
        check(fails("cublasLtMatmulAlgoGetHeuristic", status), "heuristic with status on demand");
    }
    for (const char* function :
         {"cublasLtCreate", "cublasLtMatmulDescCreate", "cublasLtMatrixLayoutCreate",
          "cublasLtMatmulPreferenceCreate", "cublasLtMatmulDescSetAttribute",
          "cublasLtMatrixLayoutSetAttribute", "cublasLtMatmulPreferenceSetAttribute"}) {
        check(fails(function, CUBLAS_STATUS_ALLOC_FAILED), std::string(function) + " on demand");
    }
}

void checkHandles()
{
    cublasLtHandle_t handle = nullptr;
    check(cublasLtCreate(nullptr) == invalid && cublasLtDestroy(nullptr) == invalid,
          "handles: null");
    setDriverVersion(0);
    check(cublasLtCreate(&handle) == CUBLAS_STATUS_NOT_INITIALIZED, "a handle without a driver");
    reset();
    setDevices({});
    check(cublasLtCreate(&handle) == CUBLAS_STATUS_NOT_INITIALIZED, "a handle without a device");
    reset();
    demand(cublasLtCreate(&handle), "cublasLtCreate");
    check(leaks().libraryHandles == 1, "a handle that is alive is counted");
    demand(cublasLtDestroy(handle), "cublasLtDestroy");
    check(cublasLtDestroy(handle) == invalid && leaks().libraryHandles == 0,
          "a handle destroyed twice");

    setDevices({EmulatedDevice{}, EmulatedDevice{}});
    {
        MatmulProgram program({});
        demand(cudaSetDevice(1), "cudaSetDevice");
        check(program.ask() == invalid
                  && lastCublasLtRefusal().find("belongs to device 0") != std::string::npos,
              "a handle on another device");
        demand(cudaSetDevice(0), "cudaSetDevice");
    }
    reset();
    (void)brokenRules();
}

void checkDescriptors()
{
    cublasLtMatrixLayout_t made = nullptr;
    demand(cublasLtMatrixLayoutCreate(&made, CUDA_R_16F, 3, 5, 8), "layout");
    check(leaks().libraryDescriptors == 1, "a descriptor that is alive is counted");
    std::int64_t leading = 0;
    std::size_t written = 0;
    check(cublasLtMatrixLayoutGetAttribute(made, CUBLASLT_MATRIX_LAYOUT_LD, &leading,
                                           sizeof leading, &written)
                  == CUBLAS_STATUS_SUCCESS
              && leading == 8 && written == 8,
          "attributes can be read back");
    check(cublasLtMatrixLayoutGetAttribute(made, CUBLASLT_MATRIX_LAYOUT_ROWS, nullptr, 0, &written)
                  == CUBLAS_STATUS_SUCCESS
              && written == 8,
          "sizes of attributes can be asked for");
    check(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_LD, &leading, 4) == invalid,
          "an attribute of the wrong size");
    check(cublasLtMatrixLayoutSetAttribute(made, static_cast<cublasLtMatrixLayoutAttribute_t>(9),
                                           &leading, 8)
              == invalid,
          "an unknown attribute");
    demand(cublasLtMatrixLayoutDestroy(made), "destroy");
    check(cublasLtMatrixLayoutDestroy(made) == invalid, "a descriptor destroyed twice");
    check(cublasLtMatrixLayoutSetAttribute(made, CUBLASLT_MATRIX_LAYOUT_LD, &leading, 8) == invalid,
          "an attribute of a destroyed descriptor");
    check(cublasLtMatrixLayoutDestroy(nullptr) == CUBLAS_STATUS_SUCCESS, "null may be destroyed");
    cublasLtMatmulDescOpaque_t onStack;
    check(cublasLtMatmulDescInit(&onStack, CUBLAS_COMPUTE_32F, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS
              && cublasLtMatmulDescInit_internal(&onStack, 8, CUBLAS_COMPUTE_32F, CUDA_R_32F)
                  == CUBLAS_STATUS_ALLOC_FAILED,
          "descriptors in memory of one's own");
    (void)brokenRules();
}

void checkNames()
{
    check(std::strcmp(cublasLtGetStatusName(CUBLAS_STATUS_ARCH_MISMATCH),
                      "CUBLAS_STATUS_ARCH_MISMATCH")
                  == 0
              && std::strcmp(cublasLtGetStatusString(CUBLAS_STATUS_SUCCESS), "success") == 0
              && std::strcmp(cublasLtGetStatusName(static_cast<cublasStatus_t>(2)),
                             "unrecognized status")
                  == 0,
          "names of statuses");
    check(cublasLtGetVersion() == CUBLAS_VERSION, "version");
}

} // namespace
} // namespace fullbatch::emulation

int main()
{
    namespace emulation = fullbatch::emulation;
    return emulation::runParts({
        emulation::checkAlgorithms,
        emulation::checkHeuristic,
        emulation::checkFaults,
        emulation::checkHandles,
        emulation::checkDescriptors,
        emulation::checkNames,
    });
}
