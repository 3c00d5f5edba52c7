// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic. Engines are tested over hundreds of epochs of some 340 million operations, so it
// is blocked: panels of 8 rows of A against groups of 6 columns of B, both packed as doubles.
#include "tests/cuda_emulation/cublaslt_product.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

namespace fullbatch::emulation::cublaslt {
namespace {

constexpr std::size_t panelRows = 8;
constexpr std::size_t groupColumns = 6;
constexpr std::size_t blockColumns = 16 * groupColumns;

using Lanes [[gnu::vector_size(panelRows * sizeof(double)), gnu::aligned(8)]] = double;
using Tile = double[groupColumns][panelRows];

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

struct ReadFloat
{
    using Stored = float;
    static double value(float stored) { return stored; }
};

struct ReadTf32
{
    using Stored = float;
    static double value(float stored) { return roundedToTf32(stored); }
};

struct ReadHalf
{
    using Stored = std::uint16_t;
    static double value(std::uint16_t stored)
    {
        static const std::vector<float> values = [] {
            std::vector<float> all(65536);
            for (std::size_t bits = 0; bits < all.size(); ++bits)
                all[bits] = __half2float(std::bit_cast<__half>(static_cast<std::uint16_t>(bits)));
            return all;
        }();
        return values[stored];
    }
};

struct ReadBfloat16
{
    using Stored = std::uint16_t;
    static double value(std::uint16_t stored)
    {
        return std::bit_cast<float>(static_cast<std::uint32_t>(stored) << 16);
    }
};

/// Calls function with the reader of a matrix.
template <typename Function>
void withReader(std::uint32_t type, bool tf32, const Function& function)
{
    if (type == CUDA_R_16F)
        function(ReadHalf{});
    else if (type == CUDA_R_16BF)
        function(ReadBfloat16{});
    else if (tf32)
        function(ReadTf32{});
    else
        function(ReadFloat{});
}

/// One matrix of a batch in memory: element (row, column) of op(matrix) is at row x rowStep +
/// column x columnStep.
struct View
{
    const void* begin = nullptr;
    std::uint32_t type = 0;
    std::size_t rowStep = 0;
    std::size_t columnStep = 0;
};

const void* ofBatch(const void* matrix, const MatrixLayout& layout, std::int64_t index)
{
    return static_cast<const char*>(matrix)
        + index * layout.batchStride * static_cast<std::int64_t>(elementBytes(layout.type));
}

View viewOf(const void* matrix, const MatrixLayout& layout, std::int64_t index, bool transposed)
{
    const auto leading = static_cast<std::size_t>(layout.leadingDimension);
    return {ofBatch(matrix, layout, index), layout.type, transposed ? leading : 1,
            transposed ? 1 : leading};
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

double readElement(const void* begin, std::uint32_t type, std::size_t index)
{
    double value = 0;
    withReader(type, false, [&](auto reader) {
        using Reader = decltype(reader);
        value = Reader::value(static_cast<const typename Reader::Stored*>(begin)[index]);
    });
    return value;
}

void writeElement(void* begin, std::uint32_t type, std::size_t index, double value)
{
    const auto single = static_cast<float>(value);
    if (type == CUDA_R_16F)
        static_cast<__half*>(begin)[index] = __float2half_rn(single);
    else if (type == CUDA_R_16BF)
        static_cast<__nv_bfloat16*>(begin)[index] = __float2bfloat16_rn(single);
    else
        static_cast<float*>(begin)[index] = single;
}

/// What happens to one matrix of sums on its way to D.
class Epilogue
{
public:
    Epilogue(const MatmulCall& call, std::int64_t index)
        : m_call(call),
          m_description(call.problem.description),
          m_parts(partsOf(m_description.epilogue)),
          m_c(ofBatch(call.c, call.problem.c, index)),
          m_d(const_cast<void*>(ofBatch(call.d, call.problem.d, index))),
          m_bias(static_cast<char*>(m_description.bias)
                 + index * m_description.biasBatchStride
                     * static_cast<std::int64_t>(elementBytes(call.problem.d.type))),
          m_mask(static_cast<std::uint8_t*>(m_description.auxiliary)
                 + index * m_description.auxiliaryBatchStride / 8),
          m_rowSums(m_parts.sumsRowsOfD ? call.problem.rows() : 0, 0.0)
    {
    }

    void store(std::size_t row, std::size_t column, double sum)
    {
        const MatmulProblem& problem = m_call.problem;
        double value = static_cast<double>(m_call.alpha) * sum;
        if (m_call.beta != 0)
            value += static_cast<double>(m_call.beta)
                * readElement(m_c, problem.c.type, place(problem.c, row, column));
        if (m_parts.addsBias)
            value += readElement(m_bias, problem.d.type, row);
        if (m_parts.writesMask)
            setMask(row, column, value > 0);
        if (m_parts.relu)
            value = relu(value);
        if (m_parts.readsMask && !mask(row, column))
            value = 0;
        writeElement(m_d, problem.d.type, place(problem.d, row, column), value);
        if (m_parts.sumsRowsOfD)
            m_rowSums[row] += value;
    }

    /// The bias gradients, when all of D is stored.
    void finish(const View& a, const View& b)
    {
        const MatmulProblem& problem = m_call.problem;
        for (std::size_t row = 0; row < m_rowSums.size(); ++row)
            writeElement(m_bias, problem.d.type, row, m_rowSums[row]);
        if (m_parts.sumsA)
            writeSums(a, a.rowStep, a.columnStep, problem.rows());
        if (m_parts.sumsB)
            writeSums(b, b.columnStep, b.rowStep, problem.columns());
    }

private:
    static std::size_t place(const MatrixLayout& layout, std::size_t row, std::size_t column)
    {
        return row + column * static_cast<std::size_t>(layout.leadingDimension);
    }

    [[nodiscard]] double relu(double value) const
    {
        if (std::isnan(value))
            return m_call.reluOfNan == ReluOfNan::Nan ? value : 0.0;
        return value > 0 ? value : 0.0;
    }

    [[nodiscard]] std::size_t maskBit(std::size_t row, std::size_t column) const
    {
        return row + column * static_cast<std::size_t>(m_description.auxiliaryLeadingDimension);
    }

    void setMask(std::size_t row, std::size_t column, bool on)
    {
        const std::size_t bit = maskBit(row, column);
        const auto one = static_cast<std::uint8_t>(1U << bit % 8);
        std::uint8_t& byte = m_mask[bit / 8];
        byte = static_cast<std::uint8_t>(on ? byte | one : byte & ~one);
    }

    [[nodiscard]] bool mask(std::size_t row, std::size_t column) const
    {
        const std::size_t bit = maskBit(row, column);
        return (m_mask[bit / 8] >> bit % 8 & 1) != 0;
    }

    void writeSums(const View& matrix, std::size_t lineStep, std::size_t depthStep,
                   std::size_t lines)
    {
        for (std::size_t line = 0; line < lines; ++line) {
            double sum = 0;
            for (std::size_t k = 0; k < m_call.problem.depth(); ++k)
                sum += readElement(matrix.begin, matrix.type, line * lineStep + k * depthStep);
            writeElement(m_bias, m_call.problem.d.type, line, sum);
        }
    }

    const MatmulCall& m_call;
    const MatmulDescription& m_description;
    EpilogueParts m_parts;
    const void* m_c;
    void* m_d;
    void* m_bias;
    std::uint8_t* m_mask;
    std::vector<double> m_rowSums;
};

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
                const std::size_t tileColumns = std::min(groupColumns, columns - column);
                const std::size_t tileRows = std::min(panelRows, rows - row);
                for (std::size_t j = 0; j < tileColumns; ++j) {
                    for (std::size_t i = 0; i < tileRows; ++i)
                        epilogue.store(row + i, first + column + j, tile[j][i]);
                }
            }
        }
    }
    epilogue.finish(a, b);
}

} // namespace

float roundedToTf32(float value)
{
    if (!std::isfinite(value))
        return value;
    auto bits = std::bit_cast<std::uint32_t>(value);
    bits += 0xfffU + (bits >> 13 & 1U);
    return std::bit_cast<float>(bits & ~std::uint32_t{0x1fff});
}

void compute(const MatmulCall& call)
{
    for (std::int64_t index = 0; index < call.problem.d.batchCount; ++index)
        computeOne(call, index);
}

} // namespace fullbatch::emulation::cublaslt
