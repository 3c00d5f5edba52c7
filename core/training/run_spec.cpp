// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/run_spec.h"
