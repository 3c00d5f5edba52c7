// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/precision_names.h"

namespace fullbatch {

std::string_view precisionName(Precision precision)
{
    return nameOf<Precision>(precision, namedPrecisions);
}

std::optional<Precision> precisionFromName(std::string_view name)
{
    return valueOf<Precision>(name, namedPrecisions);
}

std::string precisionNames()
{
    return namesText<Precision>(namedPrecisions);
}

} // namespace fullbatch
