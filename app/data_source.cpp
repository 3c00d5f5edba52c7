// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/data_source.h"

#include "app/usage_error.h"
#include "core/files/data_checksum.h"
#include "core/files/data_file.h"

#include <fmt/format.h>

namespace fullbatch {

std::shared_ptr<const Dataset> loadData(DataSpec& spec)
{
    auto dataset = std::make_shared<Dataset>(spec.file.empty() ? generateMnist1d(spec.recipe)
                                                               : readDataFile(spec.file));
    check(*dataset);
    const std::string sha256 = dataChecksum(*dataset);
    if (!spec.sha256.empty() && spec.sha256 != sha256)
        throw UsageError(
            fmt::format("--data: {} has the SHA-256 {}, but the run to be repeated was "
                        "trained on data with {}.",
                        dataset->source, sha256, spec.sha256));
    spec.sha256 = sha256;
    return dataset;
}

} // namespace fullbatch
