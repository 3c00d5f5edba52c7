// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/prediction_digest.h"
#include "gpu/kernels.h"
#include "gpu/last_block.h"
#include "gpu/launch.h"
#include "gpu/stored_value.h"

namespace fullbatch {

namespace {

constexpr unsigned int blockThreads = lossRowsPerBlock;

/// Loss and prediction of one column; a NaN among the logits gives a NaN.
template <typename Stored>
__device__ BlockLoss lossOfColumn(const LossWork& work, std::size_t column, Stored* delta)
{
    const float* logits = work.logits + column * static_cast<std::size_t>(work.stride);
    const float scale = work.state->lossScale * static_cast<float>(work.deltaShare);
    const std::size_t place = work.rows.first + column;
    const std::size_t row = work.rows.order == nullptr ? place : work.rows.order[place];
    const int label = work.labels[row];

    int predicted = 0;
    for (int i = 1; i < work.classes; ++i)
        predicted = logits[i] > logits[predicted] ? i : predicted;
    const float largest = logits[predicted];

    // Apart from the largest's own exponential, which is 1: so a small loss keeps its digits.
    float others = 0;
    for (int i = 0; i < work.classes; ++i)
        others += i == predicted ? 0 : expf(logits[i] - largest);
    const float total = 1 + others;
    if (delta != nullptr) {
        for (int i = 0; i < work.classes; ++i) {
            float derivative = expf(logits[i] - largest) / total;
            if (i == label)
                derivative = i == predicted ? -others / total : derivative - 1;
            delta[i] = stored<Stored>(derivative * scale);
        }
        for (int i = work.classes; i < work.stride; ++i)
            delta[i] = stored<Stored>(0);
    }
    return {static_cast<double>(log1pf(others) - (logits[label] - largest)),
            predictionDigest(row, static_cast<std::uint64_t>(predicted)),
            predicted == label ? 0U : 1U};
}

/// The sums over the block, for its first thread. Between two calls the block must meet at a
/// barrier.
__device__ BlockLoss blockLoss(const BlockLoss& own)
{
    __shared__ double losses[blockThreads];
    __shared__ unsigned long long digests[blockThreads];
    __shared__ unsigned int wrongs[blockThreads];
    constexpr unsigned int lanes = 32;
    static_assert(blockThreads == 2 * lanes);
    const unsigned int thread = threadIdx.x;
    losses[thread] = own.loss;
    digests[thread] = own.predictionDigest;
    wrongs[thread] = own.wrongRows;
    __syncthreads();
    if (thread >= lanes)
        return own;
    BlockLoss sums = {losses[thread] + losses[thread + lanes],
                      digests[thread] + digests[thread + lanes],
                      wrongs[thread] + wrongs[thread + lanes]};
    for (unsigned int distance = lanes / 2; distance > 0; distance /= 2) {
        sums.loss += __shfl_down_sync(0xffffffffU, sums.loss, distance);
        sums.predictionDigest += __shfl_down_sync(0xffffffffU, sums.predictionDigest, distance);
        sums.wrongRows += __shfl_down_sync(0xffffffffU, sums.wrongRows, distance);
    }
    return sums;
}

/// By the first thread of the last block: the grid's sums go to the state.
__device__ void addToState(const LossWork& work, const BlockLoss& sums)
{
    DescentState& state = *work.state;
    state.lossSum += sums.loss;
    state.predictionDigest += sums.predictionDigest;
    state.wrongRows += sums.wrongRows;
    state.lossFinite = isfinite(static_cast<float>(state.lossSum / work.meanRows)) ? 1 : 0;
}

__device__ void addUp(const LossWork& work, const BlockLoss& own)
{
    const BlockLoss block = blockLoss(own);
    if (threadIdx.x == 0)
        work.blockSums[blockIdx.x] = block;
    if (!isLastBlock(&work.state->ticket))
        return;
    BlockLoss part = {0, 0, 0};
    for (unsigned int i = threadIdx.x; i < gridDim.x; i += blockThreads) {
        const volatile BlockLoss& of = work.blockSums[i];
        part.loss += of.loss;
        part.predictionDigest += of.predictionDigest;
        part.wrongRows += of.wrongRows;
    }
    const BlockLoss sums = blockLoss(part);
    if (threadIdx.x == 0)
        addToState(work, sums);
}

template <typename Stored>
__global__ void lossKernel(LossWork work)
{
    const std::size_t column = std::size_t{blockIdx.x} * blockThreads + threadIdx.x;
    Stored* delta = nullptr;
    if (work.delta != nullptr && column < work.columns)
        delta = static_cast<Stored*>(work.delta) + column * static_cast<std::size_t>(work.stride);
    BlockLoss own = {0, 0, 0};
    if (column < work.rows.count)
        own = lossOfColumn(work, column, delta);
    else if (delta != nullptr)
        for (int i = 0; i < work.stride; ++i)
            delta[i] = stored<Stored>(0);
    addUp(work, own);
}

} // namespace

cudaError_t launchLoss(cudaStream_t stream, StoredType type, const LossWork& work)
{
    return withStoredType(type, [&](auto zero) {
        return launch(stream, blockCount(work.columns, blockThreads), blockThreads,
                      lossKernel<decltype(zero)>, work);
    });
}

} // namespace fullbatch
