// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fullbatch::emulation {

/// Part of reset(): no fault is due, every call count is zero.
void forgetFaults();

} // namespace fullbatch::emulation
