// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace fullbatch {

/// How often the program has allocated memory so far, in any thread: by operator new and, without
/// a sanitizer (which brings its own), by malloc and its kin. Linking allocation_count.cpp replaces
/// them in the whole program.
[[nodiscard]] std::size_t allocationCount();

} // namespace fullbatch
