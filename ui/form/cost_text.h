// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/run_spec.h"
#include "ui/form/data_input.h"
#include "ui/parts/measured_speeds.h"

#include <QLocale>
#include <QString>

#include <vector>

namespace fullbatch {

/// What runs that start together will need, as a person reads it: parameters, memory, time.
[[nodiscard]] QString costText(const std::vector<RunSpec>& specs, const DataSizes& sizes,
                               const MeasuredSpeeds& speeds, int cores, const QLocale& locale);

/// Empty, or one sentence when they do not fit into the memory there is.
[[nodiscard]] QString memoryProblemText(const std::vector<RunSpec>& specs, const DataSizes& sizes,
                                        int cores);

} // namespace fullbatch
