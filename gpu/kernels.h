// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/kernel_work.h"

#include <cuda_runtime_api.h>

namespace fullbatch {

// The engine's own kernels, each queued on a stream; cudaSuccess means queued. Every kernel adds up
// in an order that depends on the sizes alone: the last block to finish adds what all blocks left,
// in their order.

cudaError_t launchGather(cudaStream_t stream, StoredType type, const GatherWork& work);
/// X = max(X, 0) where a NaN stays NaN: for products whose own ReLU would swallow it.
cudaError_t launchRelu(cudaStream_t stream, StoredType type, const ActivationWork& work);
/// Delta = Activation > 0 ? Delta : 0, and 0 beyond the layer's units (slope of the ReLU).
cudaError_t launchMask(cudaStream_t stream, StoredType type, const ActivationWork& work);

/// Softmax relative to the largest logit, cross-entropy, predicted class (lowest index on a tie)
/// and the derivative by the logits, whose padding and further columns become 0. Adds to the
/// state's sums.
cudaError_t launchLoss(cudaStream_t stream, StoredType type, const LossWork& work);

/// Without loss scaling, all in one: gradient from its partials, step, end of the batch and, with
/// endsEpoch, of the epoch.
/// A step follows the Optimiser and is only taken while every loss was finite.
cudaError_t launchUpdate(cudaStream_t stream, StoredType type, const UpdateWork& work);
/// The same in parts: the gradient, and whether the step may be taken ...
cudaError_t launchGradient(cudaStream_t stream, const UpdateWork& work);
/// ... the step and the ends.
cudaError_t launchStep(cudaStream_t stream, StoredType type, const UpdateWork& work);
/// The end of an epoch of several batches, after a measurement of all rows.
cudaError_t launchEndOfEpoch(cudaStream_t stream, const UpdateWork& work);

cudaError_t launchConvert(cudaStream_t stream, StoredType type, const ConvertWork& work);

} // namespace fullbatch
