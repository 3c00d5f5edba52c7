// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/data_file.h"
