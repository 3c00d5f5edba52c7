// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <ostream>
#include <stdexcept>

namespace fullbatch {

/// A file could not be written. The text names the path and the system's reason.
class OutputError : public std::runtime_error
{
public:
    using std::runtime_error::runtime_error;
};

/// Writes a file so that it is there whole or not at all: `write` fills a temporary file in the
/// same folder, which then replaces `file` in one step. On any failure (OutputError, or what
/// `write` throws) the old file is unchanged and no part file is left. The folder must exist.
void writeWhole(const std::filesystem::path& file, const std::function<void(std::ostream&)>& write);

/// Throws OutputError unless a file could be written there now; leaves nothing behind. For asking
/// before hours of training rather than after.
void checkWritable(const std::filesystem::path& file);

} // namespace fullbatch
