// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/data_bytes.h"

#include "core/files/csv_file.h"
#include "core/files/file_kind.h"
#include "core/files/newline_damage.h"
#include "core/files/npz_file.h"
#include "core/files/pickle_file.h"

#include <algorithm>
#include <new>

namespace fullbatch {

namespace {

Dataset readBinary(FileFormat format, std::string_view bytes)
{
    try {
        return format == FileFormat::Pickle ? readPickle(bytes) : readNpz(bytes);
    } catch (const DataError&) {
        const std::string damage = newlineDamage(bytes);
        if (damage.empty())
            throw;
        throw DataError(damage);
    }
}

Dataset readAny(std::string_view bytes)
{
    const FileKind kind = recognise(bytes);
    if (kind.format == FileFormat::Unusable)
        throw DataError(kind.refusal);
    return kind.format == FileFormat::Csv ? readCsv(bytes) : readBinary(kind.format, bytes);
}

/// Names and fields of a file may hold anything; a message is one printable line.
std::string printable(std::string text)
{
    std::replace_if(
        text.begin(), text.end(),
        [](char byte) { return static_cast<unsigned char>(byte) < 0x20 || byte == 0x7f; }, '?');
    return text;
}

} // namespace

Dataset readDataBytes(std::string_view bytes)
{
    try {
        return readAny(bytes);
    } catch (const DataError& error) {
        throw DataError(printable(error.what()));
    } catch (const std::bad_alloc&) {
        throw DataError("there is not enough memory for what it holds");
    }
}

} // namespace fullbatch
