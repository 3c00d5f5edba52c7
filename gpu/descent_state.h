// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/loss_scale.h"

#include <cstdint>

namespace fullbatch {

/// What an epoch leaves in the ring of records.
struct EpochRecord
{
    unsigned long long predictionDigest = 0;
    float loss = 0; ///< mean cross-entropy
    float gradientNorm = 0;
    unsigned int wrongRows = 0;
    unsigned int scaleExhausted = 0; ///< 1: see DescentState
};

/// The few numbers that kernels hand on to later kernels. One in device memory, written by single
/// threads; the host reads and writes it between calls only.
struct DescentState
{
    // Over the rows of the batch so far, or of the measurement behind several batches; the end of
    // an epoch writes them to its record.
    double lossSum = 0;
    unsigned long long predictionDigest = 0;
    unsigned int wrongRows = 0;
    int lossFinite = 1; ///< whether the mean of lossSum is

    // Over the batches of the epoch so far.
    double epochSquares = 0; ///< sum of their gradients' sums of squares
    float spoiltLoss = 0; ///< of the first batch whose loss was not finite

    unsigned int epoch = 0; ///< of this call: which rate to take, which record to write
    int measureOnly = 0; ///< 1: no step any more, the loss was not finite
    int finite = 1; ///< whether the weights are
    int takeStep = 0; ///< gradientKernel's word to stepKernel
    double gradientSquares = 0; ///< sum of squares of the latest gradient, for stepKernel

    // Loss scaling for fp16, as PyTorch's GradScaler does it: twice the scale after so many steps
    // in a row, half of it and no step where the gradient overflowed.
    float lossScale = 1;
    unsigned long long cleanSteps = 0;
    unsigned long long skippedSteps = 0;
    int scaleExhausted = 0; ///< 1: gradients overflow at the smallest scale; no step any more

    // For use within one kernel; 0 between kernels.
    unsigned int ticket = 0;
    unsigned int overflow = 0; ///< a new weight is not finite
};

} // namespace fullbatch
