// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace fullbatch::emulation {

/// From now on a bad access to emulated memory says on standard error who touched what, before the
/// process dies of it (SIGSEGV) or its earlier handler takes over.
void explainAccessFaults();

} // namespace fullbatch::emulation
