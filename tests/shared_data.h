// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace fullbatch {

/// Returned by a test's main() when it could not run: CTest then says Skipped.
inline constexpr int testSkipped = 77;

/// A file of the shared folder beside the checkout (published data, PyTorch's curves), which a
/// test may use when it is there: sharedFile("data/mnist1d_data.pkl").
inline std::filesystem::path sharedFile(const std::filesystem::path& name)
{
    return std::filesystem::path(FULLBATCH_SOURCE_DIR).parent_path() / "shared" / name;
}

} // namespace fullbatch
