// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic. Engines are tested over hundreds of epochs of some 340 million operations, so it
// is blocked: panels of 8 rows of A against groups of 6 columns of B, both packed as doubles.
#include "tests/cuda_emulation/cublaslt_product.h"

#include "tests/cuda_emulation/cublaslt_epilogue.h"

#include <algorithm>
#include <cstring>
#include <vector>

namespace fullbatch::emulation::cublaslt {
namespace {

constexpr std::size_t blockColumns = 16 * groupColumns;

using Lanes [[gnu::vector_size(panelRows * sizeof(double)), gnu::aligned(8)]] = double;

// One source for every instruction set: inlined into functions that are compiled for one each.
[[gnu::always_inline]] inline void addProducts(const double* panel, const double* group,
                                               std::size_t depth, Tile& tile)
{
    Lanes sums[groupColumns] = {};
    for (std::size_t k = 0; k < depth; ++k) {
        Lanes column;
        std::memcpy(&column, panel + k * panelRows, sizeof column);
        const double* row = group + k * groupColumns;
        for (std::size_t j = 0; j < groupColumns; ++j)
            sums[j] += column * row[j];
    }
    std::memcpy(tile, sums, sizeof tile);
}

using TileFunction = void (*)(const double*, const double*, std::size_t, Tile&);

void baselineTile(const double* panel, const double* group, std::size_t depth, Tile& tile)
{
    addProducts(panel, group, depth, tile);
}

#if defined(__x86_64__)
[[gnu::target("avx2,fma")]] void avx2Tile(const double* panel, const double* group,
                                          std::size_t depth, Tile& tile)
{
    addProducts(panel, group, depth, tile);
}

[[gnu::target("avx512f")]] void avx512Tile(const double* panel, const double* group,
                                           std::size_t depth, Tile& tile)
{
    addProducts(panel, group, depth, tile);
}
#endif

TileFunction tileFunction()
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx512f"))
        return avx512Tile;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return avx2Tile;
#endif
    return baselineTile;
}

/// Packs `across` lines of `depth` elements, `width` lines beside each other, the last panel filled
/// up with zeros. Element k of line i is at i x lineStep + k x depthStep.
void pack(const View& view, bool tf32, std::size_t lineStep, std::size_t depthStep,
          std::size_t across, std::size_t depth, std::size_t width, std::vector<double>& packed)
{
    packed.assign((across + width - 1) / width * width * depth, 0.0);
    withReader(view.type, tf32, [&](auto reader) {
        using Reader = decltype(reader);
        const auto* elements = static_cast<const typename Reader::Stored*>(view.begin);
        for (std::size_t i = 0; i < across; ++i) {
            double* line = packed.data() + i / width * width * depth + i % width;
            for (std::size_t k = 0; k < depth; ++k)
                line[k * width] = Reader::value(elements[i * lineStep + k * depthStep]);
        }
    });
}

void computeOne(const MatmulCall& call, std::int64_t index)
{
    const MatmulProblem& problem = call.problem;
    const MatmulDescription& description = problem.description;
    const bool tf32 = description.computeType == CUBLAS_COMPUTE_32F_FAST_TF32;
    const std::size_t rows = problem.rows();
    const std::size_t depth = problem.depth();
    const View a = viewOf(call.a, problem.a, index, description.transposeA != CUBLAS_OP_N);
    const View b = viewOf(call.b, problem.b, index, description.transposeB != CUBLAS_OP_N);
    static const TileFunction multiply = tileFunction();
    // Kept from call to call: an epoch makes hundreds.
    thread_local std::vector<double> packedA;
    thread_local std::vector<double> packedB;
    pack(a, tf32, a.rowStep, a.columnStep, rows, depth, panelRows, packedA);
    Epilogue epilogue(call, index);
    Tile tile;
    for (std::size_t first = 0; first < problem.columns(); first += blockColumns) {
        const std::size_t columns = std::min(blockColumns, problem.columns() - first);
        View block = b;
        block.begin =
            static_cast<const char*>(b.begin) + first * b.columnStep * elementBytes(b.type);
        pack(block, tf32, b.columnStep, b.rowStep, columns, depth, groupColumns, packedB);
        for (std::size_t row = 0; row < rows; row += panelRows) {
            for (std::size_t column = 0; column < columns; column += groupColumns) {
                multiply(packedA.data() + row * depth, packedB.data() + column * depth, depth,
                         tile);
                epilogue.store({row, first + column, std::min(panelRows, rows - row),
                                std::min(groupColumns, columns - column)},
                               tile);
            }
        }
    }
    epilogue.finish(a, b);
}

} // namespace

void compute(const MatmulCall& call)
{
    for (std::int64_t index = 0; index < call.problem.d.batchCount; ++index)
        computeOne(call, index);
}

} // namespace fullbatch::emulation::cublaslt
