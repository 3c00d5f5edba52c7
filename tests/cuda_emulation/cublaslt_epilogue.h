// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/cublaslt_elements.h"
#include "tests/cuda_emulation/cublaslt_product.h"

namespace fullbatch::emulation::cublaslt {

/// Sums of 8 rows and 6 columns of D, column after column.
inline constexpr std::size_t panelRows = 8;
inline constexpr std::size_t groupColumns = 6;
using Tile = double[groupColumns][panelRows];

/// A part of D.
struct TilePlace
{
    std::size_t row = 0;
    std::size_t column = 0;
    std::size_t rows = 0;
    std::size_t columns = 0;
};

/// One matrix of a batch in memory: element (row, column) of op(matrix) is at row x rowStep +
/// column x columnStep.
struct View
{
    const void* begin = nullptr;
    std::uint32_t type = 0;
    std::size_t rowStep = 0;
    std::size_t columnStep = 0;
};

inline const void* ofBatch(const void* matrix, const MatrixLayout& layout, std::int64_t index)
{
    return static_cast<const char*>(matrix)
        + index * layout.batchStride * static_cast<std::int64_t>(elementBytes(layout.type));
}

inline View viewOf(const void* matrix, const MatrixLayout& layout, std::int64_t index,
                   bool transposed)
{
    const auto leading = static_cast<std::size_t>(layout.leadingDimension);
    return {ofBatch(matrix, layout, index), layout.type, transposed ? leading : 1,
            transposed ? 1 : leading};
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
          m_rowSums(m_parts.sumsRowsOfD ? call.problem.rows() : 0, 0.0),
          m_plain(call.beta == 0 && !m_parts.addsBias && !m_parts.usesMask())
    {
    }

    void store(const TilePlace& place, const Tile& sums)
    {
        if (m_plain) {
            withWriter(m_call.problem.d.type,
                       [&](auto writer) { storePlain<decltype(writer)>(place, sums); });
            return;
        }
        for (std::size_t j = 0; j < place.columns; ++j) {
            for (std::size_t i = 0; i < place.rows; ++i)
                store(place.row + i, place.column + j, sums[j][i]);
        }
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
    /// Nothing but alpha and ReLU: most products, and so worth a loop of their own.
    template <typename Writer>
    void storePlain(const TilePlace& place, const Tile& sums)
    {
        auto* elements = static_cast<typename Writer::Stored*>(m_d);
        const auto alpha = static_cast<double>(m_call.alpha);
        for (std::size_t j = 0; j < place.columns; ++j) {
            auto* column = elements + elementPlace(m_call.problem.d, place.row, place.column + j);
            for (std::size_t i = 0; i < place.rows; ++i) {
                const double value = alpha * sums[j][i];
                column[i] = Writer::stored(static_cast<float>(m_parts.relu ? relu(value) : value));
            }
        }
    }

    void store(std::size_t row, std::size_t column, double sum)
    {
        const MatmulProblem& problem = m_call.problem;
        double value = static_cast<double>(m_call.alpha) * sum;
        if (m_call.beta != 0)
            value += static_cast<double>(m_call.beta)
                * readElement(m_c, problem.c.type, elementPlace(problem.c, row, column));
        if (m_parts.addsBias)
            value += readElement(m_bias, problem.d.type, row);
        if (m_parts.writesMask)
            setMask(row, column, value > 0);
        if (m_parts.relu)
            value = relu(value);
        if (m_parts.readsMask && !mask(row, column))
            value = 0;
        writeElement(m_d, problem.d.type, elementPlace(problem.d, row, column), value);
        if (m_parts.sumsRowsOfD)
            m_rowSums[row] += value;
    }

    static std::size_t elementPlace(const MatrixLayout& layout, std::size_t row, std::size_t column)
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
    bool m_plain;
};

} // namespace fullbatch::emulation::cublaslt
