// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace fullbatch {

/// The operations that NumPy arrays in dicts need, of pickle protocols 2 to 5, by the names of
/// Python's pickletools.
enum class PickleOpcode : std::uint8_t {
    Mark = '(',
    EmptyTuple = ')',
    Stop = '.',
    BinInt = 'J',
    BinInt1 = 'K',
    BinInt2 = 'M',
    BinFloat = 'G',
    None = 'N',
    Reduce = 'R',
    BinString = 'T',
    ShortBinString = 'U',
    BinUnicode = 'X',
    BinBytes = 'B',
    ShortBinBytes = 'C',
    Append = 'a',
    Build = 'b',
    Global = 'c',
    Appends = 'e',
    BinGet = 'h',
    LongBinGet = 'j',
    BinPut = 'q',
    LongBinPut = 'r',
    SetItem = 's',
    Tuple = 't',
    SetItems = 'u',
    EmptyList = ']',
    EmptyDict = '}',
    Proto = 0x80,
    Tuple1 = 0x85,
    Tuple2 = 0x86,
    Tuple3 = 0x87,
    NewTrue = 0x88,
    NewFalse = 0x89,
    Long1 = 0x8a,
    Long4 = 0x8b,
    ShortBinUnicode = 0x8c,
    BinUnicode8 = 0x8d,
    BinBytes8 = 0x8e,
    StackGlobal = 0x93,
    Memoize = 0x94,
    Frame = 0x95,
    ByteArray8 = 0x96,
};

/// pickletools' name of an operation that is not read ("INST"); empty for a byte that is none.
[[nodiscard]] std::string nameOfRefusedOperation(std::uint8_t code);

} // namespace fullbatch
