// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/cublaslt_naive.h"

#include <cmath>
#include <cstring>
#include <map>

namespace fullbatch::emulation {
namespace {

/// Sign, 5 bits of exponent, 10 of mantissa, as in IEEE 754.
double decodeHalf(std::uint16_t bits)
{
    const int exponent = bits >> 10 & 0x1f;
    const int mantissa = bits & 0x3ff;
    double value =
        exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    if (exponent == 0x1f)
        value = mantissa == 0 ? HUGE_VAL : std::nan("");
    return (bits & 0x8000) != 0 ? -value : value;
}

std::uint16_t encodeHalf(double value)
{
    static const std::map<double, std::uint16_t> all = [] {
        std::map<double, std::uint16_t> codes;
        for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
            if ((bits & 0x7c00) != 0x7c00)
                codes.emplace(decodeHalf(static_cast<std::uint16_t>(bits)), bits);
        }
        return codes;
    }();
    const auto found = all.find(value);
    return found != all.end() ? found->second : std::uint16_t{0x7e00}; // NaN
}

std::uint64_t leadingOf(const ProductCase& product, std::uint64_t rows)
{
    return rows + product.extraLeading;
}

struct Indexes
{
    const ProductCase& product;

    [[nodiscard]] std::size_t a(std::size_t batch, std::size_t row, std::size_t k) const
    {
        return product.transposeA ? element(batch, k, row, product.depth, product.rows)
                                  : element(batch, row, k, product.rows, product.depth);
    }
    [[nodiscard]] std::size_t b(std::size_t batch, std::size_t k, std::size_t column) const
    {
        return product.transposeB ? element(batch, column, k, product.columns, product.depth)
                                  : element(batch, k, column, product.depth, product.columns);
    }
    [[nodiscard]] std::size_t d(std::size_t batch, std::size_t row, std::size_t column) const
    {
        return element(batch, row, column, product.rows, product.columns);
    }

private:
    [[nodiscard]] std::size_t element(std::size_t batch, std::size_t row, std::size_t column,
                                      std::uint64_t rows, std::uint64_t columns) const
    {
        const std::uint64_t leading = leadingOf(product, rows);
        return batch * leading * columns + column * leading + row;
    }
};

} // namespace

std::vector<double> decoded(const std::vector<std::uint8_t>& bytes, cudaDataType type)
{
    std::vector<double> values;
    const std::size_t size = type == CUDA_R_32F ? 4 : 2;
    for (std::size_t at = 0; at + size <= bytes.size(); at += size) {
        std::uint16_t half = 0;
        std::memcpy(&half, bytes.data() + at, sizeof half);
        std::uint32_t word = std::uint32_t{half} << 16;
        if (type == CUDA_R_32F)
            std::memcpy(&word, bytes.data() + at, sizeof word);
        float single = 0;
        std::memcpy(&single, &word, sizeof single);
        values.push_back(type == CUDA_R_16F ? decodeHalf(half) : static_cast<double>(single));
    }
    return values;
}

std::vector<std::uint8_t> encoded(const std::vector<double>& values, cudaDataType type)
{
    std::vector<std::uint8_t> bytes;
    for (const double value : values) {
        const auto single = static_cast<float>(value);
        std::uint32_t word = 0;
        std::memcpy(&word, &single, sizeof word);
        if (type == CUDA_R_16F)
            word = encodeHalf(value);
        else if (type == CUDA_R_16BF)
            word >>= 16;
        for (std::uint32_t byte = 0; byte < (type == CUDA_R_32F ? 4U : 2U); ++byte)
            bytes.push_back(static_cast<std::uint8_t>(word >> (8 * byte)));
    }
    return bytes;
}

double roundedTo(double value, int bits)
{
    if (value == 0 || !std::isfinite(value))
        return value;
    const int exponent = std::ilogb(value);
    return std::ldexp(std::nearbyint(std::ldexp(value, bits - exponent)), exponent - bits);
}

int mantissaBits(cudaDataType type)
{
    return type == CUDA_R_32F ? 23 : type == CUDA_R_16F ? 10 : 7;
}

ProductMemory naiveProduct(const ProductCase& product, std::int64_t maskLeading,
                           const ProductMemory& before, std::vector<double>& magnitude)
{
    const Indexes at{product};
    const bool tf32 = product.compute == CUBLAS_COMPUTE_32F_FAST_TF32;
    const auto input = [tf32](double value) { return tf32 ? roundedTo(value, 10) : value; };
    const std::uint32_t epilogue = product.epilogue;
    ProductMemory after = before;
    magnitude.assign(before.d.size(), 0.0);
    for (std::size_t batch = 0; batch < static_cast<std::size_t>(product.batch); ++batch) {
        for (std::size_t column = 0; column < product.columns; ++column) {
            for (std::size_t row = 0; row < product.rows; ++row) {
                double sum = 0;
                double size = 0;
                for (std::size_t k = 0; k < product.depth; ++k) {
                    const double term = input(before.a[at.a(batch, row, k)])
                        * input(before.b[at.b(batch, k, column)]);
                    sum += term;
                    size += std::abs(term);
                }
                const std::size_t place = at.d(batch, row, column);
                double value = static_cast<double>(product.alpha) * sum;
                if (product.beta != 0)
                    value += static_cast<double>(product.beta) * before.c[place];
                if ((epilogue & CUBLASLT_EPILOGUE_BIAS) != 0)
                    value += before.bias[batch * product.rows + row];
                const std::size_t bit =
                    (batch * product.columns + column) * static_cast<std::size_t>(maskLeading)
                    + row;
                if (epilogue == CUBLASLT_EPILOGUE_RELU_AUX
                    || epilogue == CUBLASLT_EPILOGUE_RELU_AUX_BIAS) {
                    after.mask[bit / 8] &= static_cast<std::uint8_t>(~(1U << bit % 8));
                    after.mask[bit / 8] |=
                        static_cast<std::uint8_t>((value > 0 ? 1U : 0U) << bit % 8);
                }
                if ((epilogue & CUBLASLT_EPILOGUE_RELU) != 0 && value < 0)
                    value = 0;
                if ((epilogue & 8) != 0 && (before.mask[bit / 8] >> bit % 8 & 1) == 0)
                    value = 0;
                after.d[place] = value;
                magnitude[place] = size;
            }
        }
    }
    const auto sumInto = [&](std::size_t place, double term, bool first) {
        after.bias[place] = (first ? 0.0 : after.bias[place]) + term;
    };
    for (std::size_t batch = 0; batch < static_cast<std::size_t>(product.batch); ++batch) {
        for (std::size_t row = 0; epilogue == CUBLASLT_EPILOGUE_DRELU_BGRAD && row < product.rows;
             ++row) {
            for (std::size_t column = 0; column < product.columns; ++column)
                sumInto(batch * product.rows + row, after.d[at.d(batch, row, column)], column == 0);
        }
        for (std::size_t row = 0; epilogue == CUBLASLT_EPILOGUE_BGRADA && row < product.rows;
             ++row) {
            for (std::size_t k = 0; k < product.depth; ++k)
                sumInto(batch * product.rows + row, before.a[at.a(batch, row, k)], k == 0);
        }
        for (std::size_t column = 0;
             epilogue == CUBLASLT_EPILOGUE_BGRADB && column < product.columns; ++column) {
            for (std::size_t k = 0; k < product.depth; ++k)
                sumInto(batch * product.columns + column, before.b[at.b(batch, k, column)], k == 0);
        }
    }
    return after;
}

} // namespace fullbatch::emulation
