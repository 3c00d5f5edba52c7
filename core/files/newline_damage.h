// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace fullbatch {

/// Whether a binary file that does not read has been through a conversion of line ends, told by
/// bytes that random data would hold and this one does not. A sentence's end; empty when the bytes
/// do not tell. Only for files already found to be damaged.
[[nodiscard]] std::string newlineDamage(std::string_view bytes);

} // namespace fullbatch
