// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <functional>

namespace fullbatch::emulation {

/// Runs a kernel's grid at once: its blocks one after another, in the order that setThreadOrder()
/// chose, each with its shared memory full of NaN and its threads on fibers (block_threads.h).
/// A block can therefore not wait for another one. Throws what BlockThreads::run() throws.
void runGrid(dim3 grid, dim3 block, const std::function<void()>& body);

} // namespace fullbatch::emulation
