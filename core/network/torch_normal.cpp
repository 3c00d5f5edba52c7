// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/torch_normal.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

namespace fullbatch {

namespace {

constexpr std::size_t chunkSize = 16;

std::uint32_t bitsOf(float value)
{
    return std::bit_cast<std::uint32_t>(value);
}

float floatOf(std::uint32_t bits)
{
    return std::bit_cast<float>(bits);
}

/// Coefficients of the highest power first.
template <std::size_t size>
float polynomial(float x, const float (&coefficients)[size])
{
    float sum = coefficients[0];
    for (std::size_t i = 1; i < size; ++i)
        sum = std::fma(sum, x, coefficients[i]);
    return sum;
}

/// Of a positive number; x = mantissa * 2^exponent with a mantissa around 1.
float logarithm(float x)
{
    x = std::fmax(x, floatOf(0x00800000U)); // no denormal
    float exponent = static_cast<float>(static_cast<int>(bitsOf(x) >> 23U) - 126);
    x = floatOf((bitsOf(x) & 0x807fffffU) | 0x3f000000U); // 0.5 .. 1
    const float below = x < 0.707106781186547524F ? x : 0.0F;
    exponent -= below != 0 ? 1.0F : 0.0F;
    x = x - 1.0F + below;
    const float square = x * x;
    float sum = x
        * polynomial(x,
                     {7.0376836292E-2F, -1.1514610310E-1F, 1.1676998740E-1F, -1.2420140846E-1F,
                      1.4249322787E-1F, -1.6668057665E-1F, 2.0000714765E-1F, -2.4999993993E-1F,
                      3.3333331174E-1F});
    sum = std::fma(sum, square, exponent * -2.12194440e-4F);
    sum = std::fma(-square, 0.5F, sum);
    return std::fma(exponent, 0.693359375F, x + sum);
}

struct SineAndCosine
{
    float sine;
    float cosine;
};

/// Of an angle from 0 up.
SineAndCosine sineAndCosine(float x)
{
    const auto eighths = static_cast<std::int32_t>(x * 1.27323954473516F);
    const std::int32_t octant = (eighths + 1) & ~1;
    const auto turns = static_cast<float>(octant);
    x = std::fma(turns, -0.78515625F, x);
    x = std::fma(turns, -2.4187564849853515625e-4F, x);
    x = std::fma(turns, -3.77489497744594108e-8F, x);
    const float square = x * x;
    const float ofCosine = square
        * polynomial(square,
                     {2.443315711809948E-5F, -1.388731625493765E-3F, 4.166664568298827E-2F});
    const float even = std::fma(ofCosine, square, -(square * 0.5F)) + 1.0F;
    const float ofSine =
        square * polynomial(square, {-1.9515295891E-4F, 8.3321608736E-3F, -1.6666654611E-1F});
    const float odd = std::fma(ofSine, x, x);
    const bool straight = (octant & 2) == 0;
    const float sine = straight ? odd : even;
    const float cosine = straight ? even : odd;
    return {(octant & 4) != 0 ? -sine : sine, ((octant - 2) & 4) == 0 ? -cosine : cosine};
}

float uniform(std::mt19937& generator)
{
    return static_cast<float>(static_cast<std::uint32_t>(generator()) & 0xffffffU) * 0x1p-24F;
}

void makeNormal(std::span<float> chunk, float standardDeviation)
{
    constexpr float wholeTurn = 2.0F * std::numbers::pi_v<float>;
    constexpr std::size_t half = chunkSize / 2;
    for (std::size_t i = 0; i < half; ++i) {
        const float radius = std::sqrt(-2.0F * logarithm(1.0F - chunk[i]));
        const auto [sine, cosine] = sineAndCosine(wholeTurn * chunk[i + half]);
        chunk[i] = radius * cosine * standardDeviation + 0.0F; // the mean turns -0 to 0
        chunk[i + half] = radius * sine * standardDeviation + 0.0F;
    }
}

/// 53 bits of two draws.
double wideUniform(std::mt19937& generator)
{
    const std::uint64_t high = generator();
    const std::uint64_t bits = high << 32U | generator();
    return static_cast<double>(bits & ((std::uint64_t{1} << 53U) - 1)) * 0x1p-53;
}

} // namespace

double TorchNormal::next(std::mt19937& generator)
{
    if (m_second)
        return *std::exchange(m_second, std::nullopt);
    const double angle = 2 * std::numbers::pi * wideUniform(generator);
    const double radius = std::sqrt(-2 * std::log1p(-wideUniform(generator)));
    m_second = radius * std::sin(angle);
    return radius * std::cos(angle);
}

void TorchNormal::fill(std::span<float> values, double standardDeviation, std::mt19937& generator)
{
    const std::size_t size = values.size();
    if (size < chunkSize) {
        for (float& value : values)
            value = static_cast<float>(next(generator) * standardDeviation);
        return;
    }
    const auto deviation = static_cast<float>(standardDeviation);
    for (float& value : values)
        value = uniform(generator);
    for (std::size_t first = 0; first + chunkSize <= size; first += chunkSize)
        makeNormal(values.subspan(first, chunkSize), deviation);
    if (size % chunkSize == 0)
        return;
    const std::span<float> last = values.last(chunkSize);
    for (float& value : last)
        value = uniform(generator);
    makeNormal(last, deviation);
}

} // namespace fullbatch
