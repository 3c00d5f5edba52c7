// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/pickle_names.h"

#include "core/data/dataset.h"

#include <array>
#include <span>

namespace fullbatch {

namespace {

struct Entry
{
    std::string_view module;
    std::string_view name;
    PickleName meaning;
};

constexpr std::array entries = {
    Entry{"numpy.core.multiarray", "_reconstruct", PickleName::Reconstruct}, // NumPy 1
    Entry{"numpy._core.multiarray", "_reconstruct", PickleName::Reconstruct}, // NumPy 2
    Entry{"numpy.core.numeric", "_frombuffer", PickleName::FromBuffer},
    Entry{"numpy._core.numeric", "_frombuffer", PickleName::FromBuffer},
    Entry{"numpy.core.multiarray", "scalar", PickleName::Scalar},
    Entry{"numpy._core.multiarray", "scalar", PickleName::Scalar},
    Entry{"numpy", "ndarray", PickleName::NdArray},
    Entry{"numpy", "dtype", PickleName::Dtype},
    Entry{"_codecs", "encode", PickleName::Encode}, // bytes in protocol 2
    Entry{"__builtin__", "bytes", PickleName::Bytes}, // no bytes in protocol 2
};

[[noreturn]] void refuseState(const std::string& what)
{
    throw DataError("the state of " + what + " is not one that NumPy writes; the file is damaged");
}

[[noreturn]] void refuseArguments(const std::string& name)
{
    throw DataError("it calls " + name
                    + " with arguments that NumPy does not write; the file is damaged");
}

using Items = std::span<const ValueId>;

/// The text of a value, which Python 2 may have written as bytes; empty when it is something else.
std::string_view textOf(const PickleValues& values, ValueId id)
{
    if (const auto* text = values.get<PickleText>(id))
        return text->utf8;
    const auto* bytes = values.get<PickleBytes>(id);
    return bytes != nullptr ? bytes->bytes : std::string_view();
}

bool isNumbers(const PickleValues& values, const PickleTuple& tuple)
{
    for (const ValueId id : tuple.items) {
        if (values.get<std::int64_t>(id) == nullptr)
            return false;
    }
    return true;
}

bool isContents(const PickleValues& values, ValueId id)
{
    return values.get<PickleBytes>(id) != nullptr || values.get<PickleLatin1>(id) != nullptr
        || values.get<PickleList>(id) != nullptr; // of an array of objects
}

std::vector<std::int64_t> shapeOf(const PickleValues& values, ValueId id)
{
    constexpr std::size_t mostDimensions = 64; // NumPy's own limit
    const auto* tuple = values.get<PickleTuple>(id);
    if (tuple == nullptr || tuple->items.size() > mostDimensions || !isNumbers(values, *tuple))
        refuseState("an array");
    std::vector<std::int64_t> shape;
    for (const ValueId size : tuple->items)
        shape.push_back(*values.get<std::int64_t>(size));
    return shape;
}

char orderOf(const PickleValues& values, ValueId id)
{
    if (const bool* columnOrder = values.get<bool>(id))
        return *columnOrder ? 'F' : 'C';
    const std::string_view text = textOf(values, id);
    if (text != "C" && text != "F" && text != "K")
        refuseState("an array");
    return text[0];
}

PickleArray arrayFrom(const PickleValues& values, ValueId shape, ValueId dtype, ValueId order,
                      ValueId data)
{
    if (values.get<PickleDtype>(dtype) == nullptr || !isContents(values, data))
        refuseState("an array");
    return {shapeOf(values, shape), dtype, data, orderOf(values, order)};
}

/// _reconstruct(numpy.ndarray, (0,), b"b"): an array to be filled by its state.
PickleValue reconstruct(const PickleValues& values, Items items)
{
    if (items.size() != 3 || values.get<PickleName>(items[0]) == nullptr
        || *values.get<PickleName>(items[0]) != PickleName::NdArray)
        refuseArguments("numpy's _reconstruct");
    return PickleArray{};
}

/// _frombuffer(bytes, dtype, shape, order), since NumPy 2.3 with the order of axes behind it.
PickleValue fromBuffer(const PickleValues& values, Items items)
{
    if (items.size() != 4 && items.size() != 5)
        refuseArguments("numpy's _frombuffer");
    return arrayFrom(values, items[2], items[1], items[3], items[0]);
}

/// dtype("f8", False, True).
PickleValue dtype(const PickleValues& values, Items items)
{
    if (items.empty() || textOf(values, items[0]).empty())
        refuseArguments("numpy.dtype");
    return PickleDtype{textOf(values, items[0]), '|'};
}

/// encode(text, "latin1"): how protocol 2 writes bytes.
PickleValue encode(const PickleValues& values, Items items)
{
    const auto* text = items.size() == 2 ? values.get<PickleText>(items[0]) : nullptr;
    if (text == nullptr || textOf(values, items[1]) != "latin1")
        refuseArguments("_codecs.encode");
    return PickleLatin1{text->utf8};
}

PickleValue call(const PickleValues& values, PickleName name, Items items)
{
    switch (name) {
    case PickleName::Reconstruct:
        return reconstruct(values, items);
    case PickleName::FromBuffer:
        return fromBuffer(values, items);
    case PickleName::Scalar:
        return PickleScalar{};
    case PickleName::Dtype:
        return dtype(values, items);
    case PickleName::Encode:
        return encode(values, items);
    case PickleName::Bytes:
        if (items.empty())
            return PickleBytes{};
        refuseArguments("bytes");
    case PickleName::NdArray:
        break;
    }
    refuseArguments("numpy.ndarray");
}

} // namespace

PickleName allowedName(std::string_view module, std::string_view name)
{
    for (const Entry& entry : entries) {
        if (entry.module == module && entry.name == name)
            return entry.meaning;
    }
    constexpr std::size_t longest = 100;
    throw DataError("it names " + std::string(module.substr(0, longest)) + "."
                    + std::string(name.substr(0, longest))
                    + ", which is not allowed: only dicts of NumPy arrays are read, and nothing a "
                      "file names is executed");
}

ValueId callName(PickleValues& values, ValueId callable, ValueId arguments)
{
    const auto* name = values.get<PickleName>(callable);
    const auto* tuple = values.get<PickleTuple>(arguments);
    if (name == nullptr || tuple == nullptr)
        throw DataError("it calls " + kindOf(values[callable]) + " with "
                        + kindOf(values[arguments]) + "; the file is damaged");
    return values.add(call(values, *name, tuple->items));
}

void setState(PickleValues& values, ValueId target, ValueId state)
{
    const auto* tuple = values.get<PickleTuple>(state);
    if (tuple == nullptr)
        refuseState(kindOf(values[target]));
    Items items = tuple->items;
    if (auto* type = std::get_if<PickleDtype>(&values[target])) {
        if (items.size() < 2 || textOf(values, items[1]).size() != 1)
            refuseState("a dtype");
        type->byteOrder = textOf(values, items[1])[0];
        return;
    }
    if (std::get_if<PickleArray>(&values[target]) == nullptr)
        refuseState(kindOf(values[target]));
    if (items.size() == 5) // a version number comes first
        items = items.subspan(1);
    if (items.size() != 4)
        refuseState("an array");
    values[target] = arrayFrom(values, items[0], items[1], items[2], items[3]);
}

} // namespace fullbatch
