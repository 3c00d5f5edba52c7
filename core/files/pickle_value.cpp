// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/pickle_value.h"

#include "core/data/dataset.h"

#include <array>

namespace fullbatch {

std::string kindOf(const PickleValue& value)
{
    static constexpr std::array<const char*, std::variant_size_v<PickleValue>> names = {
        "None",           "a truth value",
        "a whole number", "a number",
        "a text",         "bytes",
        "bytes",          "a tuple",
        "a list",         "a dict",
        "a name",         "a dtype",
        "a NumPy array",  "a single NumPy number"};
    return names.at(value.index());
}

PickleValues::PickleValues()
{
    m_values.emplace_back(PickleNone{});
    m_values.emplace_back(false);
    m_values.emplace_back(true);
    m_values.emplace_back(PickleTuple{});
}

ValueId PickleValues::add(PickleValue value)
{
    if (m_values.size() >= most)
        throw DataError("it holds more than " + std::to_string(most)
                        + " separate values; save x and y as NumPy arrays");
    m_values.push_back(std::move(value));
    return static_cast<ValueId>(m_values.size() - 1);
}

} // namespace fullbatch
