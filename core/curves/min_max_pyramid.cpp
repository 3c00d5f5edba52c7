// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curves/min_max_pyramid.h"
