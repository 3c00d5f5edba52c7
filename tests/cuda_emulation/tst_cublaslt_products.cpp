// SPDX-License-Identifier: GPL-3.0-or-later
// Products of the emulated cublasLt against loops by the definition: every type, transposition,
// epilogue, batches, leading dimensions, and what must not be touched.
#include "tests/cuda_emulation/cublaslt_checks.h"
#include "tests/cuda_emulation/cublaslt_control.h"
#include "tests/cuda_emulation/cublaslt_elements.h"
#include "tests/cuda_emulation/cublaslt_naive.h"

#include <cmath>
#include <cstring>
#include <random>

namespace fullbatch::emulation {
namespace {

/// Random numbers of the type, from -2 to 2.
std::vector<double> randomValues(std::mt19937& random, std::size_t count, cudaDataType type)
{
    std::uniform_real_distribution<double> uniform(-2, 2);
    std::vector<double> values(count);
    for (double& value : values)
        value = roundedTo(uniform(random), type == CUDA_R_16F ? 8 : mantissaBits(type));
    return values;
}

/// Bytes that no product writes must stay as they were.
constexpr std::uint8_t untouched = 0x5a;

ProductMemory fill(MatmulProgram& program, std::mt19937& random)
{
    const ProductCase& product = program.product;
    ProductMemory memory;
    const std::size_t inputBytes = product.input == CUDA_R_32F ? 4 : 2;
    const std::size_t outputBytes = product.output == CUDA_R_32F ? 4 : 2;
    memory.a = randomValues(random, program.bytesA / inputBytes, product.input);
    memory.b = randomValues(random, program.bytesB / inputBytes, product.input);
    program.write(program.a, encoded(memory.a, product.input));
    program.write(program.b, encoded(memory.b, product.input));
    program.write(program.d, std::vector<std::uint8_t>(program.bytesD, untouched));
    // Where beta is 0, C is made of NaN: it must not be read.
    memory.c = product.beta == 0
        ? std::vector<double>(program.bytesD / outputBytes, std::nan(""))
        : randomValues(random, program.bytesD / outputBytes, product.output);
    program.write(program.c, encoded(memory.c, product.output));
    memory.d = decoded(program.read(program.d, program.bytesD), product.output);
    if (program.bias != nullptr) {
        memory.bias = randomValues(random, program.bytesBias / outputBytes, product.output);
        program.write(program.bias, encoded(memory.bias, product.output));
    }
    if (program.mask != nullptr) {
        memory.mask.resize(program.bytesMask);
        for (std::uint8_t& byte : memory.mask)
            byte = static_cast<std::uint8_t>(random());
        program.write(program.mask, memory.mask);
    }
    return memory;
}

/// Empty, or the first element that is not equal up to one unit in the last place of the type,
/// after sums in double.
std::string difference(const std::vector<double>& values, const std::vector<double>& expected,
                       const std::vector<double>& magnitude, cudaDataType type)
{
    if (values.size() != expected.size())
        return "size";
    const double unit = std::ldexp(1.0, -mantissaBits(type));
    const double smallest = type == CUDA_R_16F ? std::ldexp(1.0, -24) : 0.0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double room = std::abs(expected[i]) * unit + magnitude[i] * 1e-13 + smallest;
        const bool same = std::isnan(expected[i]) ? std::isnan(values[i])
                                                  : std::abs(values[i] - expected[i]) <= room;
        if (!same)
            return "element " + std::to_string(i) + " is " + std::to_string(values[i]) + ", not "
                + std::to_string(expected[i]);
    }
    return {};
}

void compare(const std::vector<double>& values, const std::vector<double>& expected,
             const std::vector<double>& magnitude, cudaDataType type, const std::string& what)
{
    const std::string found = difference(values, expected, magnitude, type);
    check(found.empty(), what + ": " + found);
}

void checkProduct(const ProductCase& product)
{
    std::mt19937 random(7);
    MatmulProgram program(product);
    const ProductMemory before = fill(program, random);
    check(program.run() == CUBLAS_STATUS_SUCCESS,
          product.name + ": refused: " + lastCublasLtRefusal());
    std::vector<double> magnitude;
    const ProductMemory expected = naiveProduct(product, program.maskLeading, before, magnitude);
    // Elements between the rows and the leading dimension keep their old value, which is what
    // naiveProduct() leaves there.
    compare(decoded(program.read(program.d, program.bytesD), product.output), expected.d, magnitude,
            product.output, product.name + ": D");
    if (program.bias != nullptr) {
        const std::vector<double> sums(expected.bias.size(), 1e3);
        compare(decoded(program.read(program.bias, program.bytesBias), product.output),
                expected.bias, sums, product.output, product.name + ": bias");
    }
    if (program.mask != nullptr)
        check(program.read(program.mask, program.bytesMask) == expected.mask,
              product.name + ": mask");
    check(decoded(program.read(program.a, program.bytesA), product.input) == before.a
              && decoded(program.read(program.b, program.bytesB), product.input) == before.b,
          product.name + ": A or B was written");
}

struct Types
{
    const char* name;
    cublasComputeType_t compute;
    cudaDataType input;
    cudaDataType output;
};

constexpr Types allTypes[] = {
    {"fp32", CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F},
    {"pedantic", CUBLAS_COMPUTE_32F_PEDANTIC, CUDA_R_32F, CUDA_R_32F},
    {"tf32", CUBLAS_COMPUTE_32F_FAST_TF32, CUDA_R_32F, CUDA_R_32F},
    {"fp16", CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_16F},
    {"fp16 to fp32", CUBLAS_COMPUTE_32F, CUDA_R_16F, CUDA_R_32F},
    {"bf16", CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_16BF},
    {"bf16 to fp32", CUBLAS_COMPUTE_32F, CUDA_R_16BF, CUDA_R_32F},
};

constexpr std::uint32_t allEpilogues[] = {
    CUBLASLT_EPILOGUE_DEFAULT,   CUBLASLT_EPILOGUE_RELU,        CUBLASLT_EPILOGUE_BIAS,
    CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_RELU_AUX,    CUBLASLT_EPILOGUE_RELU_AUX_BIAS,
    CUBLASLT_EPILOGUE_DRELU,     CUBLASLT_EPILOGUE_DRELU_BGRAD, CUBLASLT_EPILOGUE_BGRADA,
    CUBLASLT_EPILOGUE_BGRADB};

void checkTypesAndTranspositions()
{
    for (const Types& types : allTypes) {
        for (int variant = 0; variant < 16; ++variant) {
            ProductCase product;
            product.name = std::string(types.name) + ", variant " + std::to_string(variant);
            product.compute = types.compute;
            product.input = types.input;
            product.output = types.output;
            product.transposeA = (variant & 1) != 0;
            product.transposeB = (variant & 2) != 0;
            product.batch = (variant & 4) != 0 ? 3 : 1;
            product.inPlace = (variant & 8) != 0;
            product.extraLeading = static_cast<std::uint64_t>(variant % 3) * 4;
            product.beta = product.inPlace ? 0.5F : 0.0F;
            product.alpha = product.inPlace ? -1.5F : 1.0F;
            checkProduct(product);
        }
    }
}

void checkEpilogues()
{
    for (const Types& types : allTypes) {
        for (const std::uint32_t epilogue : allEpilogues) {
            for (const std::int32_t batch : {1, 2}) {
                ProductCase product;
                product.name = std::string(types.name) + ", epilogue " + std::to_string(epilogue)
                    + ", batch " + std::to_string(batch);
                product.compute = types.compute;
                product.input = types.input;
                product.output = types.output;
                product.epilogue = epilogue;
                product.transposeB = epilogue == CUBLASLT_EPILOGUE_BGRADB;
                product.batch = batch;
                checkProduct(product);
            }
        }
    }
}

/// Edges of the blocking: 8 rows, 6 columns, blocks of 96 columns, and the sizes of the networks.
void checkSizes()
{
    for (const std::uint64_t rows : {1U, 7U, 8U, 9U, 76U}) {
        for (const std::uint64_t columns : {1U, 6U, 95U, 96U, 97U, 257U}) {
            for (const std::uint64_t depth : {1U, 5U, 64U}) {
                ProductCase product;
                product.name = std::to_string(rows) + " x " + std::to_string(columns) + " x "
                    + std::to_string(depth);
                product.rows = rows;
                product.columns = columns;
                product.depth = depth;
                checkProduct(product);
            }
        }
    }
    ProductCase deep;
    deep.name = "deep enough to be split";
    deep.depth = 1031;
    deep.transposeB = true;
    checkProduct(deep);
}

float runWithNan(std::uint32_t epilogue)
{
    ProductCase product;
    product.rows = product.columns = product.depth = 1;
    product.epilogue = epilogue;
    MatmulProgram program(product);
    program.write(program.a, encoded({std::nan("")}, CUDA_R_32F));
    program.write(program.b, encoded({1.0}, CUDA_R_32F));
    check(program.run() == CUBLAS_STATUS_SUCCESS, "NaN: refused");
    float value = 0;
    std::memcpy(&value, program.read(program.d, sizeof value).data(), sizeof value);
    return value;
}

void checkNan()
{
    check(std::isnan(runWithNan(CUBLASLT_EPILOGUE_DEFAULT)), "NaN goes through a plain product");
    check(runWithNan(CUBLASLT_EPILOGUE_RELU) == 0.0F, "ReLU makes NaN zero, as fmaxf does");
    setReluOfNan(ReluOfNan::Nan);
    check(std::isnan(runWithNan(CUBLASLT_EPILOGUE_RELU)), "ReLU keeps NaN when told to");
    setReluOfNan(ReluOfNan::Zero);
}

void checkRoundingToTf32()
{
    const auto rounded = [](double value) {
        return static_cast<double>(cublaslt::roundedToTf32(static_cast<float>(value)));
    };
    const double unit = std::ldexp(1.0, -10);
    check(rounded(1 + unit / 2) == 1 && rounded(1 + 3 * unit / 2) == 1 + 2 * unit,
          "ties go to the even neighbour");
    check(rounded(-1 - 0.51 * unit) == -1 - unit && rounded(1 + 0.49 * unit) == 1,
          "everything else to the nearest");
    check(rounded(HUGE_VAL) == HUGE_VAL && std::isnan(rounded(std::nan(""))),
          "infinity and NaN stay");
    check(rounded(3.4028234e38) == HUGE_VAL, "the largest numbers round to infinity");
}

/// The quick way to 16 bits against the toolkit's own, over all sizes of numbers.
void checkRoundingToHalf()
{
    std::mt19937 random(3);
    for (std::uint32_t exponent = 0; exponent < 256; ++exponent) {
        for (int i = 0; i < 4096; ++i) {
            const auto bits = static_cast<std::uint32_t>(random() & 0x807fffffU) | exponent << 23;
            const auto value = std::bit_cast<float>(i % 4 == 0 ? bits & ~0xfffU : bits);
            const auto expected = std::bit_cast<std::uint16_t>(__float2half_rn(value));
            if (cublaslt::WriteHalf::stored(value) != expected) {
                check(false, std::to_string(value) + " is rounded to another half");
                return;
            }
        }
    }
}

/// The comparison must see a wrong product.
void checkTheCheck()
{
    check(!difference({1.0, 2.0}, {1.0, 2.0 + 1e-6}, {2.0, 2.0}, CUDA_R_32F).empty(),
          "a wrong element was not found");
    check(!difference({1.0}, {1.0, 2.0}, {2.0, 2.0}, CUDA_R_32F).empty(),
          "a missing element was not found");
    check(!difference({0.0}, {std::nan("")}, {2.0}, CUDA_R_32F).empty(), "NaN was not missed");
}

} // namespace
} // namespace fullbatch::emulation

int main()
{
    namespace emulation = fullbatch::emulation;
    return emulation::runParts({
        emulation::checkTheCheck,
        emulation::checkRoundingToTf32,
        emulation::checkRoundingToHalf,
        emulation::checkTypesAndTranspositions,
        emulation::checkEpilogues,
        emulation::checkSizes,
        emulation::checkNan,
    });
}
