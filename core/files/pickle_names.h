// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/pickle_value.h"

namespace fullbatch {

/// The name if NumPy arrays in a dict need it. Throws DataError, naming it, for any other:
/// "it names posix.system, which is not allowed".
[[nodiscard]] PickleName allowedName(std::string_view module, std::string_view name);

/// What calling an allowed name with a tuple of arguments gives. Throws DataError when NumPy would
/// not call it so.
[[nodiscard]] ValueId callName(PickleValues& values, ValueId callable, ValueId arguments);

/// Gives a dtype its byte order and an array its contents (__setstate__). Throws DataError for
/// other targets and for states that NumPy does not write.
void setState(PickleValues& values, ValueId target, ValueId state);

} // namespace fullbatch
