// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/data_file.h"

#include "core/files/data_bytes.h"
#include "core/files/file_bytes.h"

namespace fullbatch {

Dataset readDataFile(const std::filesystem::path& file)
{
    try {
        Dataset dataset = readDataBytes(readBytes(file));
        dataset.source = file.string();
        return dataset;
    } catch (const DataError& error) {
        throw DataError("Cannot read " + file.string() + ": " + error.what() + ".");
    }
}

} // namespace fullbatch
