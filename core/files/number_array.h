// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fullbatch {

/// NumPy's dtype of one number: 'f' (4 or 8 bytes), 'i' and 'u' (1, 2, 4, 8), 'b' (bool, 1).
struct NumberType
{
    char kind = 'f';
    std::size_t size = 8;
    bool bigEndian = false;
};

/// From NumPy's text: "<f8", ">i4", "|u1", "f8". Throws DataError, naming the array and what to
/// save instead, for every type that is not a plain number.
[[nodiscard]] NumberType numberType(std::string_view text, const std::string& arrayName);

/// An array as it lies in a file. `bytes` points into the file, or into `storage` when they had to
/// be decoded first.
struct NumberArray
{
    std::string name;
    NumberType type;
    std::vector<std::int64_t> shape;
    bool columnOrder = false; ///< Fortran's: the first index runs fastest
    std::string_view bytes;
    std::shared_ptr<const std::string> storage;
};

/// Product of the sizes times the bytes of one number. Throws DataError for a negative size and
/// for more than any memory holds.
[[nodiscard]] std::size_t byteCount(const std::vector<std::int64_t>& shape, const NumberType& type,
                                    const std::string& arrayName);

/// Throws DataError unless `bytes` is as long as shape and type say.
void checkLength(const NumberArray& array);

/// The number at a position in memory, counted in numbers. Integers beyond 2^53 are rounded.
[[nodiscard]] double numberAt(const NumberArray& array, std::size_t position);

/// "(4000, 40)".
[[nodiscard]] std::string shapeText(const std::vector<std::int64_t>& shape);

} // namespace fullbatch
