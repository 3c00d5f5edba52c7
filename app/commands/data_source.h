// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/data_spec.h"

#include <memory>

namespace fullbatch {

/// Generates or reads the data and notes their SHA-256 in `spec`. Throws DataError; UsageError when
/// `spec` already named another SHA-256.
[[nodiscard]] std::shared_ptr<const Dataset> dataFor(DataSpec& spec);

} // namespace fullbatch
