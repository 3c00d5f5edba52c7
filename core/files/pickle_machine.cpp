// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/pickle_machine.h"

#include "core/data/dataset.h"
#include "core/files/pickle_names.h"

#include <bit>

namespace fullbatch {

namespace {

using Op = PickleOpcode;

[[noreturn]] void refuseDamaged(std::size_t position)
{
    throw DataError("it is damaged: the operation before byte " + std::to_string(position)
                    + " does not fit what comes before it; get or make the file again");
}

} // namespace

ValueId PickleMachine::run()
{
    while (true) {
        const auto code = static_cast<std::uint8_t>(m_cursor.takeNumber(1));
        const auto operation = static_cast<Op>(code);
        if (operation == Op::Stop)
            return pop();
        if (!followFraming(operation) && !followConstant(operation) && !followString(operation)
            && !followTuple(operation) && !followContainer(operation) && !followMemo(operation)
            && !followName(operation))
            refuse(code);
    }
}

bool PickleMachine::followFraming(Op operation)
{
    if (operation == Op::Proto) {
        const std::uint64_t protocol = m_cursor.takeNumber(1);
        if (protocol < 2 || protocol > 5)
            throw DataError("it is a pickle of protocol " + std::to_string(protocol)
                            + "; protocols 2 to 5 can be read, so save it again with one of them");
        return true;
    }
    if (operation != Op::Frame)
        return false;
    ByteCursor ahead = m_cursor; // a frame announces bytes, which need not be kept apart
    (void)m_cursor.takeNumber(8);
    (void)ahead.take(ahead.takeNumber(8));
    return true;
}

bool PickleMachine::followConstant(Op operation)
{
    switch (operation) {
    case Op::None:
        push(PickleValues::none);
        return true;
    case Op::NewTrue:
        push(PickleValues::yes);
        return true;
    case Op::NewFalse:
        push(PickleValues::no);
        return true;
    case Op::BinInt:
        pushNew(std::int64_t{static_cast<std::int32_t>(m_cursor.takeNumber(4))});
        return true;
    case Op::BinInt1:
        pushNew(static_cast<std::int64_t>(m_cursor.takeNumber(1)));
        return true;
    case Op::BinInt2:
        pushNew(static_cast<std::int64_t>(m_cursor.takeNumber(2)));
        return true;
    case Op::Long1:
        pushInteger(takeText(1));
        return true;
    case Op::Long4:
        pushInteger(takeText(4));
        return true;
    case Op::BinFloat: {
        std::uint64_t bits = 0; // the one big-endian number of the format
        for (const char byte : m_cursor.take(8))
            bits = bits << 8U | static_cast<unsigned char>(byte);
        pushNew(std::bit_cast<double>(bits));
        return true;
    }
    default:
        return false;
    }
}

bool PickleMachine::followString(Op operation)
{
    switch (operation) {
    case Op::ShortBinUnicode:
        pushNew(PickleText{takeText(1)});
        return true;
    case Op::BinUnicode:
        pushNew(PickleText{takeText(4)});
        return true;
    case Op::BinUnicode8:
        pushNew(PickleText{takeText(8)});
        return true;
    case Op::ShortBinString:
    case Op::ShortBinBytes:
        pushNew(PickleBytes{takeText(1)});
        return true;
    case Op::BinString:
    case Op::BinBytes:
        pushNew(PickleBytes{takeText(4)});
        return true;
    case Op::BinBytes8:
    case Op::ByteArray8:
        pushNew(PickleBytes{takeText(8)});
        return true;
    default:
        return false;
    }
}

bool PickleMachine::followTuple(Op operation)
{
    switch (operation) {
    case Op::Mark:
        if (m_marks.size() >= PickleValues::most)
            refuseDamaged(m_cursor.position());
        m_marks.push_back(m_stack.size());
        return true;
    case Op::EmptyTuple:
        push(PickleValues::emptyTuple);
        return true;
    case Op::Tuple1:
        pushTuple(1);
        return true;
    case Op::Tuple2:
        pushTuple(2);
        return true;
    case Op::Tuple3:
        pushTuple(3);
        return true;
    case Op::Tuple:
        pushNew(PickleTuple{popToMark()});
        return true;
    default:
        return false;
    }
}

bool PickleMachine::followContainer(Op operation)
{
    switch (operation) {
    case Op::EmptyList:
        pushNew(PickleList{});
        return true;
    case Op::EmptyDict:
        pushNew(PickleDict{});
        return true;
    case Op::Append:
        appendToList({pop()});
        return true;
    case Op::Appends:
        appendToList(popToMark());
        return true;
    case Op::SetItem: {
        const ValueId item = pop();
        setInDict({pop(), item});
        return true;
    }
    case Op::SetItems:
        setInDict(popToMark());
        return true;
    default:
        return false;
    }
}

bool PickleMachine::followMemo(Op operation)
{
    switch (operation) {
    case Op::BinPut:
        remember(m_cursor.takeNumber(1));
        return true;
    case Op::LongBinPut:
        remember(m_cursor.takeNumber(4));
        return true;
    case Op::Memoize:
        remember(m_memo.size());
        return true;
    case Op::BinGet:
        recall(m_cursor.takeNumber(1));
        return true;
    case Op::LongBinGet:
        recall(m_cursor.takeNumber(4));
        return true;
    default:
        return false;
    }
}

bool PickleMachine::followName(Op operation)
{
    switch (operation) {
    case Op::Global: {
        const std::string_view module = m_cursor.takeLine();
        pushNew(allowedName(module, m_cursor.takeLine()));
        return true;
    }
    case Op::StackGlobal: {
        const auto* name = m_values.get<PickleText>(pop());
        const auto* module = m_values.get<PickleText>(pop());
        if (name == nullptr || module == nullptr)
            refuseDamaged(m_cursor.position());
        pushNew(allowedName(module->utf8, name->utf8));
        return true;
    }
    case Op::Reduce: {
        const ValueId arguments = pop();
        push(callName(m_values, pop(), arguments));
        return true;
    }
    case Op::Build: {
        const ValueId state = pop();
        setState(m_values, top(), state);
        return true;
    }
    default:
        return false;
    }
}

void PickleMachine::refuse(std::uint8_t code) const
{
    const std::string name = nameOfRefusedOperation(code);
    if (name.empty())
        throw DataError("it is damaged: byte " + std::to_string(m_cursor.position() - 1)
                        + " is no operation of a pickle; get or make the file again");
    throw DataError("it uses the pickle operation " + name
                    + ", which is not allowed: only dicts of NumPy arrays in pickle protocols 2 to "
                      "5 are read");
}

void PickleMachine::push(ValueId value)
{
    if (m_stack.size() >= PickleValues::most)
        refuseDamaged(m_cursor.position());
    m_stack.push_back(value);
}

/// Two's complement of any length. What does not fit is nothing an array needs.
void PickleMachine::pushInteger(std::string_view littleEndian)
{
    std::uint64_t bits = 0;
    const bool negative = !littleEndian.empty() && (littleEndian.back() & 0x80) != 0;
    if (negative)
        bits = ~bits;
    if (littleEndian.size() > sizeof(bits)) {
        push(PickleValues::none);
        return;
    }
    for (std::size_t index = littleEndian.size(); index-- > 0;)
        bits = bits << 8U | static_cast<unsigned char>(littleEndian[index]);
    pushNew(static_cast<std::int64_t>(bits));
}

void PickleMachine::pushTuple(std::size_t size)
{
    PickleTuple tuple;
    tuple.items.resize(size);
    for (std::size_t index = size; index-- > 0;)
        tuple.items[index] = pop();
    pushNew(std::move(tuple));
}

std::size_t PickleMachine::depth() const
{
    return m_stack.size() - (m_marks.empty() ? 0 : m_marks.back());
}

ValueId PickleMachine::top() const
{
    if (depth() == 0)
        refuseDamaged(m_cursor.position());
    return m_stack.back();
}

ValueId PickleMachine::pop()
{
    const ValueId value = top();
    m_stack.pop_back();
    return value;
}

std::vector<ValueId> PickleMachine::popToMark()
{
    if (m_marks.empty())
        refuseDamaged(m_cursor.position());
    const auto first = m_stack.begin() + static_cast<std::ptrdiff_t>(m_marks.back());
    std::vector<ValueId> items(first, m_stack.end());
    m_stack.erase(first, m_stack.end());
    m_marks.pop_back();
    return items;
}

void PickleMachine::appendToList(const std::vector<ValueId>& items)
{
    auto* list = std::get_if<PickleList>(&m_values[top()]);
    if (list == nullptr)
        refuseDamaged(m_cursor.position());
    list->items.insert(list->items.end(), items.begin(), items.end());
}

void PickleMachine::setInDict(const std::vector<ValueId>& keysAndItems)
{
    auto* dict = std::get_if<PickleDict>(&m_values[top()]);
    if (dict == nullptr || keysAndItems.size() % 2 != 0)
        refuseDamaged(m_cursor.position());
    for (std::size_t index = 0; index < keysAndItems.size(); index += 2)
        dict->entries.emplace_back(keysAndItems[index], keysAndItems[index + 1]);
}

void PickleMachine::remember(std::uint64_t place)
{
    if (m_memo.size() >= PickleValues::most)
        refuseDamaged(m_cursor.position());
    m_memo[place] = top();
}

void PickleMachine::recall(std::uint64_t place)
{
    const auto found = m_memo.find(place);
    if (found == m_memo.end())
        refuseDamaged(m_cursor.position());
    push(found->second);
}

} // namespace fullbatch
