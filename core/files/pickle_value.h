// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace fullbatch {

/// Values of a pickle refer to each other by number, so that shared, deeply nested and even
/// recursive values of a hostile file cost no more memory or stack than honest ones.
using ValueId = std::uint32_t;

/// The names a pickle may use; nothing else of Python exists here, and nothing is executed.
enum class PickleName { Reconstruct, FromBuffer, Scalar, NdArray, Dtype, Encode, Bytes };

struct PickleNone
{
};
struct PickleText
{
    std::string_view utf8;
};
/// Bytes, or text of Python 2.
struct PickleBytes
{
    std::string_view bytes;
};
/// Bytes that protocol 2 spells as text whose characters are the bytes; decoded when used.
struct PickleLatin1
{
    std::string_view utf8;
};
struct PickleTuple
{
    std::vector<ValueId> items;
};
struct PickleList
{
    std::vector<ValueId> items;
};
struct PickleDict
{
    std::vector<std::pair<ValueId, ValueId>> entries;
};
struct PickleDtype
{
    std::string_view type; ///< "f8"
    char byteOrder = '|';
};
struct PickleArray
{
    std::vector<std::int64_t> shape;
    ValueId dtype = 0;
    ValueId data = 0;
    char order = 0; ///< 'C', 'F', or 'K' for any other; 0 until it is complete
};
/// A single NumPy number; nothing here needs its value.
struct PickleScalar
{
};

using PickleValue = std::variant<PickleNone, bool, std::int64_t, double, PickleText, PickleBytes,
                                 PickleLatin1, PickleTuple, PickleList, PickleDict, PickleName,
                                 PickleDtype, PickleArray, PickleScalar>;

/// "a list", "a text", ...
[[nodiscard]] std::string kindOf(const PickleValue& value);

/// All values of one pickle. None, the truth values and the empty tuple exist once.
class PickleValues
{
public:
    static constexpr ValueId none = 0;
    static constexpr ValueId no = 1;
    static constexpr ValueId yes = 2;
    static constexpr ValueId emptyTuple = 3;
    /// Arrays need a handful; a list of lists of numbers reaches it.
    static constexpr std::size_t most = 2'000'000;

    PickleValues();

    /// Throws DataError beyond `most`.
    ValueId add(PickleValue value);
    [[nodiscard]] PickleValue& operator[](ValueId id) { return m_values[id]; }
    [[nodiscard]] const PickleValue& operator[](ValueId id) const { return m_values[id]; }

    /// The value as a `Kind`, or nullptr when it is something else.
    template <typename Kind>
    [[nodiscard]] const Kind* get(ValueId id) const
    {
        return std::get_if<Kind>(&m_values[id]);
    }

private:
    std::deque<PickleValue> m_values;
};

} // namespace fullbatch
