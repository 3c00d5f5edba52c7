// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/data_loading.h"

#include "core/files/data_checksum.h"
#include "core/files/data_file.h"

namespace fullbatch {

LoadedData loadData(const DataSpec& spec)
{
    LoadedData loaded;
    loaded.dataset = spec.file.empty() ? generateMnist1d(spec.recipe) : readDataFile(spec.file);
    check(loaded.dataset);
    corrupt(loaded.dataset, spec.corruption);
    loaded.sha256 = dataChecksum(loaded.dataset);
    return loaded;
}

} // namespace fullbatch
