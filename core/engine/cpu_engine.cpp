// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu_engine.h"
