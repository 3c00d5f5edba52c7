// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/corruption.h"
#include "core/data/mnist1d.h"

#include <string>

namespace fullbatch {

/// Which data: the generator with a recipe, or a file, and what is spoilt in them on purpose.
struct DataSpec
{
    std::string file; ///< empty: MNIST-1D is generated from `recipe`
    Mnist1dRecipe recipe;
    std::string sha256; ///< of the data once made (see data_checksum.h); empty when not yet known
    Corruption corruption;

    friend bool operator==(const DataSpec&, const DataSpec&) = default;
};

} // namespace fullbatch
