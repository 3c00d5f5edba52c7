// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/byte_cursor.h"
#include "core/files/pickle_opcodes.h"
#include "core/files/pickle_value.h"

#include <unordered_map>
#include <vector>

namespace fullbatch {

/// Follows the operations of a pickle (protocols 2 to 5; Python's pickletools describes them) as
/// far as NumPy arrays in dicts need them. Executes nothing: the few names a pickle may use are
/// understood here (pickle_names.h), every other name or operation is refused by its name.
/// The values point into the bytes, which must outlive them.
class PickleMachine
{
public:
    explicit PickleMachine(std::string_view bytes) : m_cursor(bytes) { }

    /// The pickled value. Throws DataError.
    [[nodiscard]] ValueId run();
    [[nodiscard]] const PickleValues& values() const { return m_values; }

private:
    // Each follows an operation of its kind and answers whether it was one.
    bool followFraming(PickleOpcode operation);
    bool followConstant(PickleOpcode operation);
    bool followString(PickleOpcode operation);
    bool followTuple(PickleOpcode operation);
    bool followContainer(PickleOpcode operation);
    bool followMemo(PickleOpcode operation);
    bool followName(PickleOpcode operation);
    [[noreturn]] void refuse(std::uint8_t code) const;

    void push(ValueId value);
    void pushNew(PickleValue value) { push(m_values.add(std::move(value))); }
    void pushInteger(std::string_view littleEndian);
    void pushTuple(std::size_t size);
    [[nodiscard]] ValueId pop();
    [[nodiscard]] ValueId top() const;
    [[nodiscard]] std::size_t depth() const; ///< of the stack above the last mark
    [[nodiscard]] std::vector<ValueId> popToMark();
    void appendToList(const std::vector<ValueId>& items);
    void setInDict(const std::vector<ValueId>& keysAndItems);
    void remember(std::uint64_t place);
    void recall(std::uint64_t place);
    [[nodiscard]] std::string_view takeText(std::size_t lengthSize)
    {
        return m_cursor.take(m_cursor.takeNumber(lengthSize));
    }

    ByteCursor m_cursor;
    PickleValues m_values;
    std::vector<ValueId> m_stack;
    std::vector<std::size_t> m_marks; ///< sizes of the stack when a mark was set
    std::unordered_map<std::uint64_t, ValueId> m_memo;
};

} // namespace fullbatch
