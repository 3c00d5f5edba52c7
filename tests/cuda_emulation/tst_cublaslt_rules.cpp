// SPDX-License-Identifier: GPL-3.0-or-later
// Each rule of cublasLt has a wrong program here that the emulation must catch: a right one, with
// one thing changed. The refusal must be the rule's own: status and sentence are both looked at.
#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/cublaslt_control.h"
#include "tests/cuda_emulation/cublaslt_program.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <functional>

namespace fullbatch::emulation {
namespace {

int failures = 0;

void check(bool passed, const std::string& what)
{
    if (!passed) {
        std::printf("FAIL %s\n", what.c_str());
        ++failures;
    }
}

constexpr cublasStatus_t invalid = CUBLAS_STATUS_INVALID_VALUE;
constexpr cublasStatus_t unsupported = CUBLAS_STATUS_NOT_SUPPORTED;

/// When the right program is made wrong.
enum class Moment {
    BeforeHeuristic, ///< the heuristic must refuse, and so must the product
    BeforeProduct ///< the heuristic was asked before; the product must refuse
};

struct WrongProgram
{
    std::string name;
    ProductCase product;
    Moment moment = Moment::BeforeHeuristic;
    std::function<void(MatmulProgram&)> spoil;
    cublasStatus_t status = invalid;
    std::string sentence; ///< part of the refusal
};

bool refused(cublasStatus_t status, const WrongProgram& wrong)
{
    return status == wrong.status
        && lastCublasLtRefusal().find(wrong.sentence) != std::string::npos;
}

std::string found(cublasStatus_t status)
{
    return std::string(" gave ") + cublasLtGetStatusName(status) + ": " + lastCublasLtRefusal();
}

void checkWrong(const WrongProgram& wrong)
{
    {
        MatmulProgram right(wrong.product);
        check(right.run() == CUBLAS_STATUS_SUCCESS,
              wrong.name + ": the right program was refused: " + lastCublasLtRefusal());
    }
    MatmulProgram program(wrong.product);
    check(program.ask() == CUBLAS_STATUS_SUCCESS, wrong.name + ": no algorithm to begin with");
    const cublasLtMatmulHeuristicResult_t before = program.found;
    wrong.spoil(program);
    if (wrong.moment == Moment::BeforeHeuristic) {
        const cublasStatus_t status = program.ask();
        check(refused(status, wrong), wrong.name + ": the heuristic" + found(status));
        program.found = before;
    }
    const cublasStatus_t status = program.multiply();
    check(refused(status, wrong), wrong.name + ": the product" + found(status));
    cudaStreamSynchronize(program.stream);
    (void)brokenRules();
}

ProductCase with(std::uint32_t epilogue, bool transposeB = false, std::int32_t batch = 1)
{
    ProductCase product;
    product.epilogue = epilogue;
    product.transposeB = transposeB;
    product.batch = batch;
    return product;
}

/// A spoiler that sets an attribute of the operation.
template <typename Value>
std::function<void(MatmulProgram&)> operation(cublasLtMatmulDescAttributes_t attribute, Value value)
{
    return [=](MatmulProgram& program) { set(program.description, attribute, value); };
}

/// The same for a matrix layout.
template <typename Value>
std::function<void(MatmulProgram&)> layout(cublasLtMatrixLayout_t MatmulProgram::*which,
                                           cublasLtMatrixLayoutAttribute_t attribute, Value value)
{
    return [=](MatmulProgram& program) { set(program.*which, attribute, value); };
}

std::vector<WrongProgram> wrongTypes()
{
    ProductCase half;
    half.input = half.output = CUDA_R_16F;
    const auto types = [](cublasComputeType_t compute, cudaDataType input, cudaDataType output) {
        return [=](MatmulProgram& program) {
            set(program.description, CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, std::int32_t{compute});
            for (cublasLtMatrixLayout_t matrix : {program.layoutA, program.layoutB})
                set(matrix, CUBLASLT_MATRIX_LAYOUT_TYPE, std::uint32_t{input});
            for (cublasLtMatrixLayout_t matrix : {program.layoutC, program.layoutD})
                set(matrix, CUBLASLT_MATRIX_LAYOUT_TYPE, std::uint32_t{output});
        };
    };
    const Moment early = Moment::BeforeHeuristic;
    return {
        {"TF32 of 16-bit matrices", half, early,
         types(CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_16F, CUDA_R_16F), unsupported, "FAST_TF32"},
        {"float32 matrices, 16-bit result", half, early,
         types(CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_16F), unsupported, "D is of CUDA_R_32F or"},
        {"fp16 matrices, bf16 result", half, early,
         types(CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_16BF), unsupported, "D is of CUDA_R_32F or"},
        {"compute type of 16 bits", half, early, types(CUBLAS_COMPUTE_16F, CUDA_R_16F, CUDA_R_16F),
         unsupported, "The compute type must"},
        {"double matrices",
         {},
         early,
         types(CUBLAS_COMPUTE_32F, CUDA_R_64F, CUDA_R_64F),
         unsupported,
         "Matrices are of"},
        {"A and B of two types", half, early,
         layout(&MatmulProgram::layoutB, CUBLASLT_MATRIX_LAYOUT_TYPE, std::uint32_t{CUDA_R_16BF}),
         invalid, "A and B must have one type"},
        {"C and D of two types", half, early,
         layout(&MatmulProgram::layoutC, CUBLASLT_MATRIX_LAYOUT_TYPE, std::uint32_t{CUDA_R_32F}),
         invalid, "C and D must have one type"},
        {"scale type of 16 bits", half, early,
         operation(CUBLASLT_MATMUL_DESC_SCALE_TYPE, std::int32_t{CUDA_R_16F}), invalid,
         "CUDA_R_32F as the scale type"},
    };
}

std::vector<WrongProgram> wrongShapes()
{
    using Program = MatmulProgram;
    const Moment early = Moment::BeforeHeuristic;
    ProductCase batch;
    batch.batch = 3;
    return {
        {"leading dimension below the rows",
         {},
         early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_LD, std::int64_t{19}),
         invalid,
         "leading dimension below its rows"},
        {"leading dimension 0 for C",
         {},
         early,
         layout(&Program::layoutC, CUBLASLT_MATRIX_LAYOUT_LD, std::int64_t{0}),
         invalid,
         "Matrix C has a leading dimension"},
        {"row order",
         {},
         early,
         layout(&Program::layoutD, CUBLASLT_MATRIX_LAYOUT_ORDER, std::int32_t{CUBLASLT_ORDER_ROW}),
         unsupported,
         "column order"},
        {"no rows",
         {},
         early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_ROWS, std::uint64_t{0}),
         invalid,
         "1 to 2^31"},
        {"rows of A and D",
         {},
         early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_ROWS, std::uint64_t{19}),
         invalid,
         "op(A) and D"},
        {"columns of B and D",
         {},
         early,
         layout(&Program::layoutB, CUBLASLT_MATRIX_LAYOUT_COLS, std::uint64_t{36}),
         invalid,
         "op(B) and D"},
        {"columns of A and rows of B",
         {},
         early,
         layout(&Program::layoutB, CUBLASLT_MATRIX_LAYOUT_ROWS, std::uint64_t{23}),
         invalid,
         "as many columns as"},
        {"columns of C and D",
         {},
         early,
         layout(&Program::layoutC, CUBLASLT_MATRIX_LAYOUT_COLS, std::uint64_t{36}),
         invalid,
         "C and D must have equally"},
        {"a forgotten transposition",
         {},
         early,
         operation(CUBLASLT_MATMUL_DESC_TRANSA, std::int32_t{CUBLAS_OP_T}),
         invalid,
         "op(A) and D"},
        {"C transposed",
         {},
         early,
         operation(CUBLASLT_MATMUL_DESC_TRANSC, std::int32_t{CUBLAS_OP_T}),
         unsupported,
         "C cannot be transposed"},
        {"unknown transposition",
         {},
         early,
         operation(CUBLASLT_MATMUL_DESC_TRANSB, std::int32_t{7}),
         unsupported,
         "as they are or transposed"},
        {"planar-complex",
         {},
         early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, std::int64_t{64}),
         unsupported,
         "planar-complex"},
        {"batch of pointers",
         {},
         early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE,
                std::uint32_t{CUBLASLT_BATCH_MODE_POINTER_ARRAY}),
         unsupported,
         "strided batch"},
        {"batch count 0",
         {},
         early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, std::int32_t{0}),
         invalid,
         "batch count below 1"},
        {"batch counts differ", batch, early,
         layout(&Program::layoutB, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, std::int32_t{2}), invalid,
         "another batch count"},
        {"one B for the whole batch", batch, early,
         layout(&Program::layoutB, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, std::int64_t{0}),
         unsupported, "one matrix for the whole batch"},
        {"matrices D of the batch overlap", batch, early,
         layout(&Program::layoutD, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, std::int64_t{64}),
         invalid, "of the batch overlap"},
        {"negative batch stride", batch, early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, std::int64_t{-480}),
         unsupported, "negative batch stride"},
    };
}

std::vector<WrongProgram> wrongOperations()
{
    const Moment early = Moment::BeforeHeuristic;
    return {
        {"alpha in device memory by mode",
         {},
         early,
         operation(CUBLASLT_MATMUL_DESC_POINTER_MODE, std::int32_t{CUBLASLT_POINTER_MODE_DEVICE}),
         unsupported,
         "must be in host memory"},
        {"half a matrix",
         {},
         early,
         operation(CUBLASLT_MATMUL_DESC_FILL_MODE, std::int32_t{CUBLAS_FILL_MODE_LOWER}),
         unsupported,
         "full fill mode"},
        {"fast accumulation",
         {},
         early,
         operation(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1}),
         unsupported,
         "Fast accumulation"},
        {"a scale for A",
         {},
         early,
         [](MatmulProgram& program) {
             set(program.description, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, program.a);
         },
         invalid,
         "A scale"},
        {"a scaling mode",
         {},
         early,
         operation(CUBLASLT_MATMUL_DESC_B_SCALE_MODE,
                   std::int32_t{CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F}),
         invalid,
         "scaling mode"},
    };
}

std::vector<WrongProgram> wrongEpilogues()
{
    const Moment early = Moment::BeforeHeuristic;
    const ProductCase relu = with(CUBLASLT_EPILOGUE_RELU);
    const ProductCase bias = with(CUBLASLT_EPILOGUE_BIAS);
    const ProductCase mask = with(CUBLASLT_EPILOGUE_RELU_AUX);
    const ProductCase gradient = with(CUBLASLT_EPILOGUE_DRELU);
    const auto epilogue = [](std::uint32_t value) {
        return operation(CUBLASLT_MATMUL_DESC_EPILOGUE, value);
    };
    return {
        {"ReLU and its gradient in one", gradient, early,
         epilogue(CUBLASLT_EPILOGUE_DRELU | CUBLASLT_EPILOGUE_RELU), unsupported, "This epilogue"},
        {"GELU", relu, early, epilogue(CUBLASLT_EPILOGUE_GELU), unsupported, "This epilogue"},
        {"bias gradients over A and B", with(CUBLASLT_EPILOGUE_BGRADB, true), early,
         epilogue(CUBLASLT_EPILOGUE_BGRADA | CUBLASLT_EPILOGUE_BGRADB), unsupported,
         "This epilogue"},
        {"bias pointer without a bias", bias, early, epilogue(CUBLASLT_EPILOGUE_RELU), invalid,
         "has no bias"},
        {"bias stride without a pointer", relu, early,
         operation(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, std::int64_t{20}), invalid,
         "no pointer"},
        {"bias of another type", bias, early,
         operation(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, std::int32_t{CUDA_R_16F}), unsupported,
         "type of D"},
        {"bias aligned to 4 bytes", bias, early,
         [](MatmulProgram& program) {
             set(program.description, CUBLASLT_MATMUL_DESC_BIAS_POINTER, program.bias + 4);
         },
         unsupported, "aligned to 16 bytes"},
        {"no bias pointer", bias, Moment::BeforeProduct,
         [](MatmulProgram& program) {
             set(program.description, CUBLASLT_MATMUL_DESC_BIAS_POINTER,
                 static_cast<void*>(nullptr));
             set(program.description, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, std::int64_t{0});
             program.ask();
         },
         invalid, "needs a pointer to the bias"},
        {"bias gradients of the batch overlap", with(CUBLASLT_EPILOGUE_DRELU_BGRAD, false, 2),
         early, operation(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, std::int64_t{0}), invalid,
         "bias vectors of the batch overlap"},
        {"mask pointer without a mask", mask, early, epilogue(CUBLASLT_EPILOGUE_RELU), invalid,
         "has no mask"},
        {"no mask pointer", mask, early,
         operation(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<void*>(nullptr)), invalid,
         "needs a pointer to the ReLU mask"},
        {"mask rows of 64 bits", mask, early,
         operation(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{64}), invalid,
         "multiple of 128 bits"},
        {"mask rows in bytes", mask, early,
         operation(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{16}), invalid,
         "multiple of 128 bits"},
        {"mask rows of the default 0", gradient, early,
         operation(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, std::int64_t{0}), invalid,
         "multiple of 128 bits"},
        {"mask batch stride of 64 bits", mask, early,
         operation(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, std::int64_t{64}), invalid,
         "batch stride of the ReLU mask"},
        {"masks of the batch overlap", with(CUBLASLT_EPILOGUE_RELU_AUX, false, 2), early,
         operation(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, std::int64_t{128}), invalid,
         "ReLU masks of the batch overlap"},
        {"mask with a type", mask, early,
         operation(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, std::int32_t{CUDA_R_32F}), invalid,
         "must be left unset"},
        {"mask aligned to 8 bytes", mask, early,
         [](MatmulProgram& program) {
             set(program.description, CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, program.mask + 8);
         },
         unsupported, "mask must be aligned to 16"},
    };
}

/// Sizes and transpositions that these epilogues do not take: wrong from the start.
void checkRefusedEpilogues()
{
    struct Refused
    {
        ProductCase product;
        const char* sentence;
    };
    std::vector<Refused> all = {{with(CUBLASLT_EPILOGUE_BGRADA), "not transposed"},
                                {with(CUBLASLT_EPILOGUE_BGRADB), "transposed B"},
                                {with(CUBLASLT_EPILOGUE_DRELU), "depth above 1"},
                                {with(CUBLASLT_EPILOGUE_BGRADA), "more than one column"},
                                {with(CUBLASLT_EPILOGUE_BGRADB, true), "more than one row"},
                                {with(CUBLASLT_EPILOGUE_BGRADB, true), "more than one row"}};
    all[0].product.transposeA = true;
    all[2].product.depth = 1;
    all[3].product.columns = 1;
    all[4].product.rows = 1;
    all[5].product.columns = 1;
    for (const Refused& refusedCase : all) {
        MatmulProgram program(refusedCase.product);
        const cublasStatus_t status = program.ask();
        check(status == unsupported
                  && lastCublasLtRefusal().find(refusedCase.sentence) != std::string::npos,
              std::string(refusedCase.sentence) + ": the heuristic" + found(status));
    }
}

std::vector<WrongProgram> wrongPreferences()
{
    const Moment early = Moment::BeforeHeuristic;
    const auto preference = [](cublasLtMatmulPreferenceAttributes_t attribute, auto value) {
        return [=](MatmulProgram& program) { set(program.preference, attribute, value); };
    };
    std::vector<WrongProgram> all = {
        {"alignment that is no power of two",
         {},
         early,
         preference(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, std::uint32_t{48}),
         unsupported,
         "power of two"},
        {"alignment below an element",
         {},
         early,
         preference(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, std::uint32_t{2}),
         unsupported,
         "power of two"},
        {"search by algorithm",
         {},
         early,
         preference(CUBLASLT_MATMUL_PREF_SEARCH_MODE,
                    std::uint32_t{CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID}),
         unsupported,
         "best-fit"},
        {"unknown reduction scheme",
         {},
         early,
         preference(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, std::uint32_t{0x17}),
         invalid,
         "unknown scheme"},
        {"no implementation allowed",
         {},
         early,
         preference(CUBLASLT_MATMUL_PREF_IMPL_MASK, std::uint64_t{0}),
         unsupported,
         "implementation mask"},
    };
    return all;
}

/// What only the call of the product can see.
std::vector<WrongProgram> wrongCalls()
{
    using Program = MatmulProgram;
    const Moment late = Moment::BeforeProduct;
    ProductCase deep;
    deep.depth = 1024;
    ProductCase outOfPlace;
    outOfPlace.inPlace = false;
    outOfPlace.beta = 1;
    return {
        {"A less aligned than promised",
         {},
         late,
         [](Program& p) { p.a += 16; },
         unsupported,
         "aligned to 16 bytes, but the preference promised 256"},
        {"D less aligned than promised",
         {},
         late,
         [](Program& p) { p.d += 4, p.c += 4; },
         unsupported,
         "Matrix C is aligned to 4"},
        {"no A", {}, late, [](Program& p) { p.a = nullptr; }, invalid, "is null"},
        {"no C", {}, late, [](Program& p) { p.c = nullptr; }, invalid, "is null"},
        {"no alpha", {}, late, [](Program& p) { p.alpha = nullptr; }, invalid, "in host memory"},
        {"beta in device memory",
         {},
         late,
         [](Program& p) { p.beta = p.workspace; },
         invalid,
         "in host memory"},
        {"in place with two layouts",
         {},
         late,
         [](Program& p) { set(p.layoutC, CUBLASLT_MATRIX_LAYOUT_LD, std::int64_t{24}); },
         invalid,
         "their layouts differ"},
        {"A in host memory",
         {},
         late,
         [](Program& p) {
             alignas(256) static std::uint8_t host[2048];
             p.a = host;
         },
         invalid,
         "A is not inside"},
        {"A freed",
         {},
         late,
         [](Program& p) {
             void* freed = nullptr;
             demand(cudaMalloc(&freed, p.bytesA), "cudaMalloc");
             demand(cudaFree(freed), "cudaFree");
             p.a = static_cast<std::uint8_t*>(freed);
         },
         invalid,
         "A is not inside"},
        {"B longer than its allocation",
         {},
         late,
         [](Program& p) {
             void* small = nullptr;
             demand(cudaMalloc(&small, p.bytesB - 4), "cudaMalloc");
             p.b = static_cast<std::uint8_t*>(small);
         },
         invalid,
         "B is not inside"},
        {"D on top of B", {}, late, [](Program& p) { p.d = p.c = p.b; }, invalid, "is not inside"},
        {"D on top of C, moved by one column", outOfPlace, late,
         [](Program& p) { p.c = p.workspace, p.d = p.workspace + 1024; }, invalid,
         "D and of C overlaps"},
        {"A in the workspace",
         {},
         late,
         [](Program& p) { p.a = p.workspace + 4096; },
         invalid,
         "the workspace and of A overlaps"},
        {"workspace aligned to 128 bytes",
         {},
         late,
         [](Program& p) { p.workspace += 128, p.workspaceBytes -= 128; },
         invalid,
         "aligned to 256"},
        {"workspace without memory",
         {},
         late,
         [](Program& p) { p.workspace = nullptr; },
         invalid,
         "has a size, but no memory"},
        {"workspace longer than its allocation",
         {},
         late,
         [](Program& p) { p.workspaceBytes += 256; },
         invalid,
         "the workspace is not inside"},
        {"workspace too small", deep, late, [](Program& p) { p.workspaceBytes = 256; }, invalid,
         "but the algorithm needs"},
        {"algorithm never given",
         {},
         late,
         [](Program& p) { p.found = {}; },
         invalid,
         "never given by a heuristic"},
        {"algorithm changed",
         {},
         late,
         [](Program& p) { p.found.algo.data[3] = 0xffff; },
         invalid,
         "changed since"},
        {"algorithm of another epilogue",
         {},
         late,
         operation(CUBLASLT_MATMUL_DESC_EPILOGUE, std::uint32_t{CUBLASLT_EPILOGUE_RELU}),
         invalid,
         "another problem"},
        {"handle destroyed",
         {},
         late,
         [](Program& p) { cublasLtDestroy(p.handle); },
         CUBLAS_STATUS_NOT_INITIALIZED,
         "destroyed before"},
        {"descriptor destroyed",
         {},
         late,
         [](Program& p) { cublasLtMatmulDescDestroy(p.description); },
         invalid,
         "descriptor was"},
        {"layout destroyed",
         {},
         late,
         [](Program& p) { cublasLtMatrixLayoutDestroy(p.layoutB); },
         invalid,
         "layout was destroyed"},
    };
}

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

/// A heuristic may not be asked in a capture, neither openly nor by a product without algorithm.
void checkCapture()
{
    MatmulProgram program({});
    demand(program.ask(), "heuristic");
    demand(cudaStreamBeginCapture(program.stream, cudaStreamCaptureModeThreadLocal), "capture");
    check(program.ask() == CUBLAS_STATUS_INTERNAL_ERROR, "a heuristic in a capture");
    demand(program.multiply(), "a product in a capture");
    check(cublasLtMatmul(program.handle, program.description, program.alpha, program.a,
                         program.layoutA, program.b, program.layoutB, program.beta, program.c,
                         program.layoutC, program.d, program.layoutD, nullptr, program.workspace,
                         program.workspaceBytes, program.stream)
              == CUBLAS_STATUS_INTERNAL_ERROR,
          "a product without an algorithm in a capture");
    cudaGraph_t graph = nullptr;
    demand(cudaStreamEndCapture(program.stream, &graph), "end of capture");
    std::size_t nodes = 0;
    demand(cudaGraphGetNodes(graph, nullptr, &nodes), "nodes");
    check(nodes == 1, "one product is one node");
    demand(cudaGraphDestroy(graph), "destroy");
    (void)brokenRules();
}

/// Whatever stands in the workspace is gone after a product.
void checkWorkspaceIsSpoilt()
{
    MatmulProgram program({});
    program.write(program.workspace, std::vector<std::uint8_t>(program.workspaceBytes, 0));
    demand(program.run(), "product");
    const std::vector<std::uint8_t> after = program.read(program.workspace, program.workspaceBytes);
    check(after.front() != 0 && after[4096] != 0 && after.back() != 0,
          "something kept in the workspace survived");
}

/// The product runs when the stream is waited for, not when it is queued.
void checkLate()
{
    MatmulProgram program({});
    program.write(program.d, std::vector<std::uint8_t>(program.bytesD, 0x11));
    demand(program.ask(), "heuristic");
    demand(program.multiply(), "product");
    // Freed before it ran: the work, not the call, is in error.
    demand(cudaStreamSynchronize(program.stream), "wait");
    check(program.read(program.d, program.bytesD)
              != std::vector<std::uint8_t>(program.bytesD, 0x11),
          "D was written");
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
    reset();
    for (const char* function :
         {"cublasLtCreate", "cublasLtMatmulDescCreate", "cublasLtMatrixLayoutCreate",
          "cublasLtMatmulPreferenceCreate", "cublasLtMatmulDescSetAttribute",
          "cublasLtMatrixLayoutSetAttribute", "cublasLtMatmulPreferenceSetAttribute"}) {
        check(fails(function, CUBLAS_STATUS_ALLOC_FAILED), std::string(function) + " on demand");
        reset(); // the constructor threw and left something behind
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

void checkAll()
{
    for (const auto& group : {wrongTypes(), wrongShapes(), wrongOperations(), wrongEpilogues(),
                              wrongPreferences(), wrongCalls()}) {
        for (const WrongProgram& wrong : group) {
            reset();
            checkWrong(wrong);
        }
    }
    for (const auto part : {checkRefusedEpilogues, checkAlgorithms, checkHeuristic, checkCapture,
                            checkWorkspaceIsSpoilt, checkLate, checkFaults, checkHandles,
                            checkDescriptors, checkNames}) {
        reset();
        part();
        check(leaks() == Leaks{}, "something is left over");
    }
}

} // namespace
} // namespace fullbatch::emulation

int main()
{
    namespace emulation = fullbatch::emulation;
    try {
        emulation::checkAll();
    } catch (const std::exception& error) {
        emulation::check(false, error.what());
    }
    std::printf("%d failed\n", emulation::failures);
    return emulation::failures == 0 ? 0 : 1;
}
