// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/pickle_file.h"

#include "core/files/named_arrays.h"
#include "core/files/pickle_machine.h"

namespace fullbatch {

namespace {

/// Characters up to 255 in UTF-8 back to bytes.
std::string decodeLatin1(std::string_view utf8, const std::string& arrayName)
{
    std::string bytes;
    bytes.reserve(utf8.size());
    for (std::size_t index = 0; index < utf8.size(); ++index) {
        const auto first = static_cast<unsigned char>(utf8[index]);
        if (first < 0x80) {
            bytes += utf8[index];
            continue;
        }
        const bool complete = (first == 0xc2 || first == 0xc3) && index + 1 < utf8.size()
            && (static_cast<unsigned char>(utf8[index + 1]) & 0xc0U) == 0x80U;
        if (!complete)
            throw DataError("the array " + arrayName
                            + " holds characters that are no bytes; the file is damaged");
        ++index;
        bytes += static_cast<char>((first & 3U) << 6U
                                   | (static_cast<unsigned char>(utf8[index]) & 0x3fU));
    }
    return bytes;
}

/// Finds arrays among the entries of the outermost dict.
class Contents
{
public:
    Contents(const PickleValues& values, const PickleDict& dict)
        : m_values(values),
          m_dict(dict) { }

    std::optional<NumberArray> find(const std::string& name) const
    {
        std::optional<ValueId> found; // the last of equal keys counts, as in Python
        for (const auto& [key, value] : m_dict.entries) {
            const auto* text = m_values.get<PickleText>(key);
            const auto* bytes = m_values.get<PickleBytes>(key); // text of Python 2
            if ((text != nullptr && text->utf8 == name)
                || (bytes != nullptr && bytes->bytes == name))
                found = value;
        }
        return found ? std::optional(arrayOf(name, *found)) : std::nullopt;
    }

private:
    NumberArray arrayOf(const std::string& name, ValueId id) const
    {
        const auto* array = m_values.get<PickleArray>(id);
        if (array == nullptr)
            throw DataError(name + " is " + kindOf(m_values[id])
                            + "; it must be a NumPy array, as made by numpy.array(" + name + ")");
        if (array->order == 0)
            throw DataError("the array " + name + " has no contents; the file is damaged");
        const auto* type = m_values.get<PickleDtype>(array->dtype);
        NumberArray numbers;
        numbers.name = name;
        numbers.type = numberType(type->byteOrder + std::string(type->type), name);
        numbers.shape = array->shape;
        numbers.columnOrder = array->order == 'F';
        if (array->order == 'K' && array->shape.size() > 1)
            throw DataError("the array " + name + " lies in memory in an unusual order; save "
                            + name + ".copy() instead");
        if (const auto* bytes = m_values.get<PickleBytes>(array->data))
            numbers.bytes = bytes->bytes;
        else if (const auto* text = m_values.get<PickleLatin1>(array->data)) {
            numbers.storage = std::make_shared<const std::string>(decodeLatin1(text->utf8, name));
            numbers.bytes = *numbers.storage;
        }
        checkLength(numbers);
        return numbers;
    }

    const PickleValues& m_values;
    const PickleDict& m_dict;
};

} // namespace

Dataset readPickle(std::string_view bytes)
{
    PickleMachine machine(bytes);
    const ValueId root = machine.run();
    const auto* dict = machine.values().get<PickleDict>(root);
    if (dict == nullptr)
        throw DataError("it holds " + kindOf(machine.values()[root])
                        + "; a dict with the NumPy arrays x and y is wanted");
    const Contents contents(machine.values(), *dict);
    return datasetFromArrays([&](const std::string& name) { return contents.find(name); });
}

} // namespace fullbatch
