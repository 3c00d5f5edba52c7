// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/training/training_loop.h"
