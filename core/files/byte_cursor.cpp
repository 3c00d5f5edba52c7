// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/byte_cursor.h"

#include "core/data/dataset.h"

namespace fullbatch {

std::string_view ByteCursor::take(std::uint64_t count)
{
    const std::string_view left = rest();
    if (count > left.size())
        throw DataError("it is cut short: it ends after " + std::to_string(m_bytes.size())
                        + " bytes, where at least " + std::to_string(count - left.size())
                        + " more must follow; get or make the file again");
    m_position += count;
    return left.substr(0, count);
}

std::uint64_t ByteCursor::takeNumber(std::size_t size)
{
    const std::string_view bytes = take(size);
    std::uint64_t number = 0;
    for (std::size_t index = size; index-- > 0;)
        number = number << 8U | static_cast<unsigned char>(bytes[index]);
    return number;
}

std::string_view ByteCursor::takeLine()
{
    const std::size_t length = rest().find('\n');
    if (length == std::string_view::npos)
        throw DataError("it is cut short: it ends within a name; get or make the file again");
    const std::string_view line = take(length);
    (void)take(1);
    return line;
}

} // namespace fullbatch
