// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_spec.h"

#include <string>

namespace fullbatch {

/// A data set as it is trained on, and its checksum.
struct LoadedData
{
    Dataset dataset;
    std::string sha256; ///< see data_checksum.h; of the data as they are after being spoilt
};

/// Generates or reads what the spec asks for, checks it and spoils what is to be spoilt. The spec's
/// own sha256 is not looked at. Throws DataError.
[[nodiscard]] LoadedData loadData(const DataSpec& spec);

} // namespace fullbatch
