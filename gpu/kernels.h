// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/kernel_work.h"

#include <cuda_runtime_api.h>

namespace fullbatch {

// The engine's own kernels, each queued on a stream; cudaSuccess means queued. Pointers are device
// memory. Every kernel adds up in an order that depends on the sizes alone.

/// X = max(X, 0) where a NaN stays NaN: for products whose own ReLU would swallow it.
cudaError_t launchRelu(cudaStream_t stream, StoredType type, const ActivationWork& work);
/// Delta = Activation > 0 ? Delta : 0, and 0 beyond the layer's units (slope of the ReLU).
cudaError_t launchMask(cudaStream_t stream, StoredType type, const ActivationWork& work);

} // namespace fullbatch
