// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFile>
#include <QtTest>

#include <bit>
#include <cstdint>
#include <span>

namespace fullbatch {

/// The rows of a table in tests/data without its heading, which must have so many columns; empty
/// when the file or a row is not as it should be.
inline QList<QList<QByteArray>> referenceTable(const char* name, int columns)
{
    QFile file(QStringLiteral(FULLBATCH_SOURCE_DIR "/tests/data/") + QLatin1String(name));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    file.readLine();
    QList<QList<QByteArray>> rows;
    while (!file.atEnd()) {
        rows << file.readLine().trimmed().split(',');
        if (rows.back().size() != columns)
            return {};
    }
    return rows;
}

/// The 64-bit FNV-1a hash of values of 32 bits as little-endian bytes.
template <typename Value>
std::uint64_t fnv1a(std::span<const Value> values)
{
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const Value value : values) {
        const auto bits = std::bit_cast<std::uint32_t>(value);
        for (unsigned shift = 0; shift < 32; shift += 8)
            hash = (hash ^ ((bits >> shift) & 0xffU)) * 0x100000001b3U;
    }
    return hash;
}

} // namespace fullbatch
