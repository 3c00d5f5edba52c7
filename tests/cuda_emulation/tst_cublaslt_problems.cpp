// SPDX-License-Identifier: GPL-3.0-or-later
// What the descriptors state together: each rule of cublasLt has a wrong program here that the
// emulation must catch, a right one with one thing changed.
#include "tests/cuda_emulation/control.h"
#include "tests/cuda_emulation/cublaslt_checks.h"
#include "tests/cuda_emulation/cublaslt_control.h"

#include <cstring>

namespace fullbatch::emulation {
namespace {

std::vector<WrongProgram> wrongTypes()
{
    const ProductCase plain;
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
        {"double matrices", plain, early, types(CUBLAS_COMPUTE_32F, CUDA_R_64F, CUDA_R_64F),
         unsupported, "Matrices are of"},
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
    const ProductCase plain;
    using Program = MatmulProgram;
    const Moment early = Moment::BeforeHeuristic;
    ProductCase batch;
    batch.batch = 3;
    return {
        {"leading dimension below the rows", plain, early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_LD, std::int64_t{19}), invalid,
         "leading dimension below its rows"},
        {"leading dimension 0 for C", plain, early,
         layout(&Program::layoutC, CUBLASLT_MATRIX_LAYOUT_LD, std::int64_t{0}), invalid,
         "Matrix C has a leading dimension"},
        {"row order", plain, early,
         layout(&Program::layoutD, CUBLASLT_MATRIX_LAYOUT_ORDER, std::int32_t{CUBLASLT_ORDER_ROW}),
         unsupported, "column order"},
        {"no rows", plain, early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_ROWS, std::uint64_t{0}), invalid,
         "1 to 2^31"},
        {"rows of A and D", plain, early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_ROWS, std::uint64_t{19}), invalid,
         "op(A) and D"},
        {"columns of B and D", plain, early,
         layout(&Program::layoutB, CUBLASLT_MATRIX_LAYOUT_COLS, std::uint64_t{36}), invalid,
         "op(B) and D"},
        {"columns of A and rows of B", plain, early,
         layout(&Program::layoutB, CUBLASLT_MATRIX_LAYOUT_ROWS, std::uint64_t{23}), invalid,
         "as many columns as"},
        {"columns of C and D", plain, early,
         layout(&Program::layoutC, CUBLASLT_MATRIX_LAYOUT_COLS, std::uint64_t{36}), invalid,
         "C and D must have equally"},
        {"a forgotten transposition", plain, early,
         operation(CUBLASLT_MATMUL_DESC_TRANSA, std::int32_t{CUBLAS_OP_T}), invalid, "op(A) and D"},
        {"C transposed", plain, early,
         operation(CUBLASLT_MATMUL_DESC_TRANSC, std::int32_t{CUBLAS_OP_T}), unsupported,
         "C cannot be transposed"},
        {"unknown transposition", plain, early,
         operation(CUBLASLT_MATMUL_DESC_TRANSB, std::int32_t{7}), unsupported,
         "as they are or transposed"},
        {"planar-complex", plain, early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, std::int64_t{64}),
         unsupported, "planar-complex"},
        {"batch of pointers", plain, early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE,
                std::uint32_t{CUBLASLT_BATCH_MODE_POINTER_ARRAY}),
         unsupported, "strided batch"},
        {"batch count 0", plain, early,
         layout(&Program::layoutA, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, std::int32_t{0}), invalid,
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
    const ProductCase plain;
    const Moment early = Moment::BeforeHeuristic;
    return {
        {"alpha in device memory by mode", plain, early,
         operation(CUBLASLT_MATMUL_DESC_POINTER_MODE, std::int32_t{CUBLASLT_POINTER_MODE_DEVICE}),
         unsupported, "must be in host memory"},
        {"half a matrix", plain, early,
         operation(CUBLASLT_MATMUL_DESC_FILL_MODE, std::int32_t{CUBLAS_FILL_MODE_LOWER}),
         unsupported, "full fill mode"},
        {"fast accumulation", plain, early,
         operation(CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1}), unsupported,
         "Fast accumulation"},
        {"a scale for A", plain, early,
         [](MatmulProgram& program) {
             set(program.description, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, program.a);
         },
         invalid, "A scale"},
        {"a scaling mode", plain, early,
         operation(CUBLASLT_MATMUL_DESC_B_SCALE_MODE,
                   std::int32_t{CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F}),
         invalid, "scaling mode"},
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
    const ProductCase plain;
    const Moment early = Moment::Preference;
    const auto preference = [](cublasLtMatmulPreferenceAttributes_t attribute, auto value) {
        return [=](MatmulProgram& program) { set(program.preference, attribute, value); };
    };
    std::vector<WrongProgram> all = {
        {"alignment that is no power of two", plain, early,
         preference(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, std::uint32_t{48}), unsupported,
         "power of two"},
        {"alignment below an element", plain, early,
         preference(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, std::uint32_t{2}), unsupported,
         "power of two"},
        {"search by algorithm", plain, early,
         preference(CUBLASLT_MATMUL_PREF_SEARCH_MODE,
                    std::uint32_t{CUBLASLT_SEARCH_LIMITED_BY_ALGO_ID}),
         unsupported, "best-fit"},
        {"unknown reduction scheme", plain, early,
         preference(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, std::uint32_t{0x17}), unsupported,
         "unknown scheme"},
        {"no implementation allowed", plain, early,
         preference(CUBLASLT_MATMUL_PREF_IMPL_MASK, std::uint64_t{0}), unsupported,
         "implementation mask"},
    };
    return all;
}

void checkAll(const std::vector<WrongProgram>& all)
{
    for (const WrongProgram& wrong : all)
        checkWrong(wrong);
}

} // namespace
} // namespace fullbatch::emulation

int main()
{
    namespace emulation = fullbatch::emulation;
    return emulation::runParts({
        [] { emulation::checkAll(emulation::wrongTypes()); },
        [] { emulation::checkAll(emulation::wrongShapes()); },
        [] { emulation::checkAll(emulation::wrongOperations()); },
        [] { emulation::checkAll(emulation::wrongEpilogues()); },
        [] { emulation::checkAll(emulation::wrongPreferences()); },
        emulation::checkRefusedEpilogues,
    });
}
