// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace fullbatch {

/// Reads little-endian pieces of a file from front to back. Throws DataError, saying that the file
/// is cut short and where, when a piece goes beyond the end.
class ByteCursor
{
public:
    explicit ByteCursor(std::string_view bytes) : m_bytes(bytes) { }

    [[nodiscard]] std::size_t position() const { return m_position; }
    [[nodiscard]] std::string_view rest() const { return m_bytes.substr(m_position); }

    [[nodiscard]] std::string_view take(std::uint64_t count);
    /// An unsigned number of 1, 2, 4 or 8 bytes.
    [[nodiscard]] std::uint64_t takeNumber(std::size_t size);
    /// Up to the next line feed, which is passed over.
    [[nodiscard]] std::string_view takeLine();

private:
    std::string_view m_bytes;
    std::size_t m_position = 0;
};

} // namespace fullbatch
