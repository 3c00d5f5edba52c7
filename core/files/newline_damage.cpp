// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/newline_damage.h"

namespace fullbatch {

namespace {

constexpr std::string_view remedy =
    "; copy or download it again in binary mode, without conversion of line ends";

}

std::string newlineDamage(std::string_view bytes)
{
    std::size_t lineFeeds = 0;
    std::size_t returns = 0;
    std::size_t pairs = 0;
    char before = 0;
    for (const char byte : bytes) {
        lineFeeds += byte == '\n' ? 1 : 0;
        returns += byte == '\r' ? 1 : 0;
        pairs += byte == '\n' && before == '\r' ? 1 : 0;
        before = byte;
    }
    // A line feed after a return by chance is one in 256.
    if (lineFeeds >= 2 && pairs == lineFeeds)
        return "it was damaged by a conversion of line ends: every byte 0A has become 0D 0A"
            + std::string(remedy);
    // Random bytes of this length would hold 32 returns, or 16 pairs.
    // (And some line feeds: bytes that repeat one pattern are another matter.)
    const bool looksRandom = lineFeeds >= bytes.size() / 1024;
    if (returns == 0 && looksRandom && bytes.size() >= std::size_t{32} * 256)
        return "it was damaged by a conversion of line ends: every byte 0D is missing"
            + std::string(remedy);
    if (pairs == 0 && looksRandom && bytes.size() >= std::size_t{16} * 65536)
        return "it was probably damaged by a conversion of line ends: the bytes 0D 0A have "
               "become 0A"
            + std::string(remedy);
    return {};
}

} // namespace fullbatch
