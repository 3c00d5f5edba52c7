// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Transposed copies of weights, for the instruction set of the including file.

#include "core/engine/cpu/lanes.h"

namespace fullbatch {
namespace {

void transpose(const float* from, std::ptrdiff_t fromStride, float* to, std::ptrdiff_t toStride,
               std::int64_t rows, std::int64_t columns)
{
    const std::int64_t wholeRows = rows / laneCount * laneCount;
    for (std::int64_t column = 0; column < columns; column += laneCount) {
        const std::int64_t left = columns - column < laneCount ? columns - column : laneCount;
        for (std::int64_t row = 0; row < wholeRows; row += laneCount) {
            Lanes square[laneCount];
#pragma GCC unroll 16
            for (int i = 0; i < laneCount; ++i)
                square[i] = load(from + (row + i) * fromStride + column);
            transposeSquare(square);
#pragma GCC unroll 16
            for (int i = 0; i < laneCount; ++i)
                if (i < left)
                    store(to + (column + i) * toStride + row, square[i]);
        }
        for (std::int64_t i = column; i < column + left; ++i)
            for (std::int64_t row = wholeRows; row < rows; ++row)
                to[i * toStride + row] = from[row * fromStride + i];
    }
}

} // namespace
} // namespace fullbatch
