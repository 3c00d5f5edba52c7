// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace fullbatch {

/// A NumPy array as it is written: little-endian values in C order.
struct NpyArray
{
    std::string name; ///< within an npz, without ".npy"
    std::string type; ///< NumPy's: "<f4", "<i8"
    std::vector<std::int64_t> shape;
    std::span<const std::byte> values; ///< not owned
};

/// The bytes of an npz file: a zip archive (stored, dated 1980) of npy files of version 1.0. Equal
/// arrays give equal bytes. Throws std::bad_alloc.
[[nodiscard]] std::vector<std::byte> npzArchive(std::span<const NpyArray> arrays);

} // namespace fullbatch
