// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/pickle_opcodes.h"

#include <algorithm>
#include <array>

namespace fullbatch {

namespace {

struct Refused
{
    std::uint8_t code;
    const char* name;
};

constexpr std::array refused = {
    Refused{'0', "POP"},          Refused{'1', "POP_MARK"},
    Refused{'2', "DUP"},          Refused{'F', "FLOAT"},
    Refused{'I', "INT"},          Refused{'L', "LONG"},
    Refused{'P', "PERSID"},       Refused{'Q', "BINPERSID"},
    Refused{'S', "STRING"},       Refused{'V', "UNICODE"},
    Refused{'d', "DICT"},         Refused{'g', "GET"},
    Refused{'i', "INST"},         Refused{'l', "LIST"},
    Refused{'o', "OBJ"},          Refused{'p', "PUT"},
    Refused{0x81, "NEWOBJ"},      Refused{0x82, "EXT1"},
    Refused{0x83, "EXT2"},        Refused{0x84, "EXT4"},
    Refused{0x8f, "EMPTY_SET"},   Refused{0x90, "ADDITEMS"},
    Refused{0x91, "FROZENSET"},   Refused{0x92, "NEWOBJ_EX"},
    Refused{0x97, "NEXT_BUFFER"}, Refused{0x98, "READONLY_BUFFER"},
};

} // namespace

std::string nameOfRefusedOperation(std::uint8_t code)
{
    const auto* const found =
        std::find_if(refused.begin(), refused.end(),
                     [code](const Refused& entry) { return entry.code == code; });
    return found != refused.end() ? found->name : "";
}

} // namespace fullbatch
