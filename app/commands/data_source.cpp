// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/data_source.h"

#include "app/terminal/usage_error.h"
#include "core/files/data_loading.h"

#include <fmt/format.h>

namespace fullbatch {

std::shared_ptr<const Dataset> dataFor(DataSpec& spec)
{
    const auto loaded = std::make_shared<const LoadedData>(loadData(spec));
    if (!spec.sha256.empty() && spec.sha256 != loaded->sha256)
        throw UsageError(
            fmt::format("--data: {} has the SHA-256 {}, but the run to be repeated was "
                        "trained on data with {}.",
                        loaded->dataset.source, loaded->sha256, spec.sha256));
    spec.sha256 = loaded->sha256;
    return {loaded, &loaded->dataset};
}

} // namespace fullbatch
