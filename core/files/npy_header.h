// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fullbatch {

/// What an npy file says about its array (NumPy's numpy.lib.format, versions 1 to 3).
struct NpyHeader
{
    std::string type; ///< "<f8"
    bool columnOrder = false;
    std::vector<std::int64_t> shape;
    std::size_t size = 0; ///< bytes before the numbers
};

/// `bytes`: at least the beginning of the file. Throws DataError, naming the array.
[[nodiscard]] NpyHeader parseNpyHeader(std::string_view bytes, const std::string& arrayName);

} // namespace fullbatch
