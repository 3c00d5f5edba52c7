// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace fullbatch {

/// 15208 as "15,208".
[[nodiscard]] std::string grouped(std::int64_t number);

} // namespace fullbatch
