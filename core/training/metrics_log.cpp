// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/metrics_log.h"

#include <limits>

namespace fullbatch {

double errorPercent(std::uint32_t wrongRows, std::size_t rows)
{
    if (rows == 0)
        return std::numeric_limits<double>::quiet_NaN();
    return 100.0 * wrongRows / static_cast<double>(rows);
}

} // namespace fullbatch
