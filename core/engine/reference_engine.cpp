// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/reference_engine.h"
