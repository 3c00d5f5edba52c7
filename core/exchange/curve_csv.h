// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/training/metrics_log.h"

#include <iosfwd>

namespace fullbatch {

/// Every epoch of a log: epoch,train_error_percent,train_loss,test_error_percent,test_loss,
/// measured before the epoch's update; with mini-batches all but the first end in _after_epoch, for
/// then they are measured after its last one. A learning_rate follows where it is not the same in
/// every epoch. Test columns are empty where nothing was measured; the error of a loss that is not
/// finite is nan. Decimal point in every locale; a loss has 9 significant digits for float32
/// engines and 17 for float64, so that it reads back exactly.
void writeCurveCsv(std::ostream& out, const MetricsLog& log);

} // namespace fullbatch
