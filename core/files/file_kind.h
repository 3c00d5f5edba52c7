// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fullbatch {

enum class FileFormat { Pickle, Npz, Csv, Unusable };

/// What a file really is, whatever its name says.
struct FileKind
{
    FileFormat format = FileFormat::Unusable;
    /// For an unusable file: what it is and what to do, as the end of "Cannot read FILE: ...".
    std::string refusal;
};

/// Looks at the first bytes (and for text at its beginning) only.
[[nodiscard]] FileKind recognise(std::string_view bytes);

} // namespace fullbatch
