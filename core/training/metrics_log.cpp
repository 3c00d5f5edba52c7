// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/metrics_log.h"
