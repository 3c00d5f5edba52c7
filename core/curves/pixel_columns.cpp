// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/curves/pixel_columns.h"
