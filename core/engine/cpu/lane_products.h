// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The three matrix products of a tile, for the instruction set of the including file.
//
// A block of C (some vectors by some columns) stays in registers over the whole depth: for each
// depth the vectors of A are loaded once and multiplied by each column's broadcast value of B. What
// comes before and after (bias, ReLU, mask, slopes, accumulation) is done on the registers.

#include "core/engine/cpu/lanes.h"
#include "core/engine/cpu/tile_kernels.h"

namespace fullbatch {
namespace {

enum class Ending { BiasRelu, Bias, Mask, Slopes, Store, Accumulate };

#if defined(__AVX512F__)
// 32 registers: 24 sums, the vectors of A and one broadcast.
constexpr int mostVectors = 4;
constexpr int columnsOf[mostVectors + 1] = {0, 12, 12, 8, 6};
#elif defined(__AVX2__)
// 16 registers: 12 sums, 2 vectors of A and one broadcast.
constexpr int mostVectors = 2;
constexpr int columnsOf[mostVectors + 1] = {0, 8, 6};
#else
constexpr int mostVectors = 2;
constexpr int columnsOf[mostVectors + 1] = {0, 6, 4};
#endif

constexpr bool depthMajor(Ending ending)
{
    return ending == Ending::Store || ending == Ending::Accumulate;
}

#define FULLBATCH_UNROLL _Pragma("GCC unroll 16")

constexpr bool besideC(Ending ending)
{
    return ending == Ending::Mask || ending == Ending::Slopes;
}

// `extra`: the bias of these vectors, or the activation or the slopes beside c.
template <int vectors, int columns, Ending ending>
[[gnu::noinline]] void block(std::int64_t depth, const float* a, std::ptrdiff_t aStride,
                             const float* b, std::ptrdiff_t bStride, float* c,
                             std::ptrdiff_t cStride, const float* extra)
{
    Lanes sums[columns][vectors];
    FULLBATCH_UNROLL for (int n = 0; n < columns; ++n)
    {
        FULLBATCH_UNROLL for (int m = 0; m < vectors; ++m)
        {
            if constexpr (ending == Ending::BiasRelu || ending == Ending::Bias)
                sums[n][m] = load(extra + m * laneCount);
            else if constexpr (ending == Ending::Accumulate)
                sums[n][m] = load(c + n * cStride + m * laneCount);
            else
                sums[n][m] = Lanes{};
        }
    }
    // Four columns share a pointer, so that all addresses fit the processor's few registers.
    constexpr int quads = (columns + 3) / 4;
    const float* quad[quads];
    FULLBATCH_UNROLL for (int q = 0; q < quads; ++q)
    {
        quad[q] = b + 4 * q * bStride;
    }
    for (std::int64_t k = 0; k < depth; ++k) {
        Lanes column[vectors];
        FULLBATCH_UNROLL for (int m = 0; m < vectors; ++m)
        {
            column[m] = load(a + m * laneCount);
        }
        a += aStride;
        FULLBATCH_UNROLL for (int n = 0; n < columns; ++n)
        {
            const Lanes value = broadcast(depthMajor(ending) ? b[n] : quad[n / 4][n % 4 * bStride]);
            FULLBATCH_UNROLL for (int m = 0; m < vectors; ++m)
            {
                sums[n][m] = multiplyAdd(column[m], value, sums[n][m]);
            }
        }
        b += bStride;
        FULLBATCH_UNROLL for (int q = 0; q < quads; ++q)
        {
            ++quad[q];
        }
    }
    FULLBATCH_UNROLL for (int n = 0; n < columns; ++n)
    {
        FULLBATCH_UNROLL for (int m = 0; m < vectors; ++m)
        {
            const std::ptrdiff_t at = n * cStride + m * laneCount;
            Lanes sum = sums[n][m];
            if constexpr (ending == Ending::BiasRelu)
                sum = rectified(sum);
            if constexpr (ending == Ending::Mask)
                sum = wherePositive(sum, load(extra + at));
            if constexpr (ending == Ending::Slopes)
                sum = throughSlope(sum, load(extra + at));
            store(c + at, sum);
        }
    }
}

template <int vectors, int columns, Ending ending>
void lastColumns(std::int64_t left, std::int64_t depth, const float* a, std::ptrdiff_t aStride,
                 const float* b, std::ptrdiff_t bStride, float* c, std::ptrdiff_t cStride,
                 const float* extra)
{
    if constexpr (columns > 0) {
        if (left == columns)
            block<vectors, columns, ending>(depth, a, aStride, b, bStride, c, cStride, extra);
        else
            lastColumns<vectors, columns - 1, ending>(left, depth, a, aStride, b, bStride, c,
                                                      cStride, extra);
    }
}

// All columns of C for some of its vectors.
template <int vectors, Ending ending>
void panel(const TileProduct& product, std::int64_t firstVector, const float* extra)
{
    constexpr int columns = columnsOf[vectors];
    const std::ptrdiff_t first = firstVector * laneCount;
    const float* a = product.a + first;
    const float* b = product.b;
    float* c = product.c + first;
    extra += extra == nullptr ? 0 : first;
    const std::ptrdiff_t bStep = depthMajor(ending) ? 1 : product.bStride;
    std::int64_t left = product.columns;
    for (; left >= columns; left -= columns) {
        block<vectors, columns, ending>(product.depth, a, product.aStride, b, product.bStride, c,
                                        product.cStride, extra);
        b += columns * bStep;
        c += columns * product.cStride;
        if constexpr (besideC(ending))
            extra += columns * product.cStride;
    }
    lastColumns<vectors, columns - 1, ending>(left, product.depth, a, product.aStride, b,
                                              product.bStride, c, product.cStride, extra);
}

template <int vectors, Ending ending>
void panelOf(std::int64_t wanted, const TileProduct& product, std::int64_t firstVector,
             const float* extra)
{
    if constexpr (vectors > 0) {
        if (wanted == vectors)
            panel<vectors, ending>(product, firstVector, extra);
        else
            panelOf<vectors - 1, ending>(wanted, product, firstVector, extra);
    }
}

// Of the vectors left, how many the next panel takes: never a last single one if it can be helped,
// for a single vector needs a load a multiply-add.
constexpr std::int64_t nextVectors(std::int64_t left)
{
    if (left == mostVectors + 1 && mostVectors > 2)
        return mostVectors - 1;
    return left < mostVectors ? left : mostVectors;
}

template <Ending ending>
void multiply(const TileProduct& product, const float* extra)
{
    std::int64_t first = 0;
    while (first < product.vectors) {
        const std::int64_t vectors = nextVectors(product.vectors - first);
        panelOf<mostVectors, ending>(vectors, product, first, extra);
        first += vectors;
    }
}

void forwardRelu(const TileProduct& product, const float* bias)
{
    multiply<Ending::BiasRelu>(product, bias);
}

void forwardLinear(const TileProduct& product, const float* bias)
{
    multiply<Ending::Bias>(product, bias);
}

void inputGradient(const TileProduct& product, const float* activation)
{
    multiply<Ending::Mask>(product, activation);
}

void inputGradientBySlopes(const TileProduct& product, const float* slopes)
{
    multiply<Ending::Slopes>(product, slopes);
}

void weightGradient(const TileProduct& product, bool accumulate)
{
    if (accumulate)
        multiply<Ending::Accumulate>(product, nullptr);
    else
        multiply<Ending::Store>(product, nullptr);
}

} // namespace
} // namespace fullbatch
