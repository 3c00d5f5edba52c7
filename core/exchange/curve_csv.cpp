// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/curve_csv.h"
