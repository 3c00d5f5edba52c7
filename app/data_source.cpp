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

std::string missingClasses(const Dataset& dataset)
{
    const std::vector<std::size_t> counts = classCounts(dataset.train, dataset.classes);
    std::string missing;
    for (std::size_t label = 0; label < counts.size(); ++label) {
        if (counts[label] == 0)
            missing += (missing.empty() ? "" : ", ") + std::to_string(label);
    }
    return missing.empty() ? missing : fmt::format("No training row has the class {}.", missing);
}

} // namespace fullbatch
