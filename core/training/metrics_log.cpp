// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/metrics_log.h"

#include "core/training/run_spec.h"

#include <limits>

namespace fullbatch {

std::shared_ptr<MetricsLog> makeLog(const RunSpec& spec, const Dataset& data)
{
    auto log = std::make_shared<MetricsLog>();
    log->trainRows = data.train.rows();
    log->testRows = data.test.rows();
    log->precision = spec.precision;
    log->measuredAfter = !isFullBatch(spec, data.train.rows());
    return log;
}

double errorPercent(std::uint32_t wrongRows, std::size_t rows)
{
    if (rows == 0)
        return std::numeric_limits<double>::quiet_NaN();
    return 100.0 * wrongRows / static_cast<double>(rows);
}

} // namespace fullbatch
