// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/number_array.h"

#include "core/data/dataset.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace fullbatch {

static_assert(std::endian::native == std::endian::little, "bytes of a big-endian number turn");

namespace {

std::string advice(const std::string& arrayName)
{
    const bool labels = arrayName.starts_with('y');
    return labels ? "save it as integers, with " + arrayName + ".astype('int64')"
                  : "save it as numbers, with " + arrayName + ".astype('float32')";
}

template <typename Number>
double read(const char* bytes, bool swapped)
{
    std::array<char, sizeof(Number)> own{};
    std::memcpy(own.data(), bytes, sizeof(Number));
    if (swapped)
        std::reverse(own.begin(), own.end());
    return static_cast<double>(std::bit_cast<Number>(own));
}

double readSigned(const char* bytes, const NumberType& type)
{
    switch (type.size) {
    case 1:
        return read<std::int8_t>(bytes, false);
    case 2:
        return read<std::int16_t>(bytes, type.bigEndian);
    case 4:
        return read<std::int32_t>(bytes, type.bigEndian);
    default:
        return read<std::int64_t>(bytes, type.bigEndian);
    }
}

double readUnsigned(const char* bytes, const NumberType& type)
{
    switch (type.size) {
    case 1:
        return read<std::uint8_t>(bytes, false);
    case 2:
        return read<std::uint16_t>(bytes, type.bigEndian);
    case 4:
        return read<std::uint32_t>(bytes, type.bigEndian);
    default:
        return read<std::uint64_t>(bytes, type.bigEndian);
    }
}

} // namespace

NumberType numberType(std::string_view text, const std::string& arrayName)
{
    std::string_view plain = text;
    bool bigEndian = false;
    if (!plain.empty() && std::string_view("<>|=").find(plain[0]) != std::string_view::npos) {
        bigEndian = plain[0] == '>';
        plain.remove_prefix(1);
    }
    constexpr std::array<std::string_view, 11> numbers = {"f4", "f8", "i1", "i2", "i4", "i8",
                                                          "u1", "u2", "u4", "u8", "b1"};
    if (std::find(numbers.begin(), numbers.end(), plain) != numbers.end())
        return {plain[0], static_cast<std::size_t>(plain[1] - '0'), bigEndian};
    if (plain.starts_with('O'))
        throw DataError("the array " + arrayName
                        + " holds Python objects (dtype object), which are never read; "
                        + advice(arrayName));
    throw DataError(
        "the array " + arrayName + " has the dtype \"" + std::string(text.substr(0, 40))
        + "\"; float32, float64, whole numbers of 8 to 64 bits and bool can be read, so "
        + advice(arrayName));
}

std::size_t byteCount(const std::vector<std::int64_t>& shape, const NumberType& type,
                      const std::string& arrayName)
{
    constexpr std::size_t limit = std::size_t{1} << 50U; // a pebibyte
    std::size_t count = type.size;
    bool empty = false;
    for (const std::int64_t size : shape) {
        if (size < 0)
            throw DataError("the array " + arrayName + " has the shape " + shapeText(shape)
                            + "; no size may be negative");
        empty = empty || size == 0;
        if (size > 0 && count > limit / static_cast<std::size_t>(size))
            throw DataError("the array " + arrayName + " has the shape " + shapeText(shape)
                            + ", more than any memory holds; the file is damaged");
        count *= size > 0 ? static_cast<std::size_t>(size) : 1;
    }
    return empty ? 0 : count;
}

void checkLength(const NumberArray& array)
{
    const std::size_t expected = byteCount(array.shape, array.type, array.name);
    if (array.bytes.size() != expected)
        throw DataError("the array " + array.name + " has the shape " + shapeText(array.shape)
                        + ", which takes " + std::to_string(expected) + " bytes, but holds "
                        + std::to_string(array.bytes.size()) + "; the file is damaged");
}

double numberAt(const NumberArray& array, std::size_t position)
{
    const char* bytes = array.bytes.data() + position * array.type.size;
    switch (array.type.kind) {
    case 'f':
        return array.type.size == 4 ? read<float>(bytes, array.type.bigEndian)
                                    : read<double>(bytes, array.type.bigEndian);
    case 'i':
        return readSigned(bytes, array.type);
    case 'u':
        return readUnsigned(bytes, array.type);
    default:
        return *bytes == 0 ? 0 : 1;
    }
}

std::string shapeText(const std::vector<std::int64_t>& shape)
{
    std::string text = "(";
    for (std::size_t dimension = 0; dimension < shape.size(); ++dimension)
        text += (dimension > 0 ? ", " : "") + std::to_string(shape[dimension]);
    return text + (shape.size() == 1 ? ",)" : ")");
}

} // namespace fullbatch
