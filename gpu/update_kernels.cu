// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/block_sum.h"
#include "gpu/kernels.h"
#include "gpu/last_block.h"
#include "gpu/launch.h"
#include "gpu/stored_value.h"

#include <type_traits>

namespace fullbatch {

namespace {

static_assert(sumThreads == updateWeightsPerBlock, "one weight a thread");

/// What this thread works on; the same in every kernel below.
struct Place
{
    std::size_t weight;
    bool trainable; ///< false: padding, or a fixed weight, or nothing at all
};

__device__ Place placeOf(const UpdateWork& work)
{
    const UpdateBlock& block = work.blocks[blockIdx.x];
    const std::size_t weight = block.first + threadIdx.x;
    return {weight, weight < block.end && work.trainable[weight] != 0};
}

/// The mean gradient: partials in order, without the loss scale.
__device__ float gradientOf(const UpdateWork& work, std::size_t weight)
{
    const UpdateBlock& block = work.blocks[blockIdx.x];
    const float* partial =
        work.partials + work.chunks * block.layerOffset + (weight - block.layerOffset);
    float sum = 0;
    for (unsigned int chunk = 0; chunk < work.chunks; ++chunk)
        sum += partial[chunk * block.layerSize];
    return sum * (work.gradientShare / work.state->lossScale);
}

/// What a step needs of the state, read once at a kernel's begin.
struct StepNumbers
{
    bool take;
    bool keepBefore; ///< otherwise the last finite position is already there
    float rate;
    float momentum;
    bool nesterov;
};

__device__ StepNumbers stepNumbers(const UpdateWork& work, bool take)
{
    const DescentState& state = *work.state;
    const Optimiser& optimiser = *work.optimiser;
    return {take, state.finite != 0, work.rates[state.epoch % rateSlots],
            static_cast<float>(optimiser.momentum), optimiser.nesterov};
}

template <typename Stored>
__device__ void step(const UpdateWork& work, const StepNumbers& numbers, std::size_t i,
                     float gradient)
{
    const float weight = work.weights[i];
    if (numbers.keepBefore)
        work.weightsBefore[i] = weight;
    float along = gradient;
    if (work.velocity != nullptr) {
        const float velocity = work.velocity[i];
        if (numbers.keepBefore)
            work.velocityBefore[i] = velocity;
        const float next = numbers.momentum * velocity + gradient;
        work.velocity[i] = next;
        along = numbers.nesterov ? gradient + numbers.momentum * next : next;
    }
    const float next = weight - numbers.rate * along;
    work.weights[i] = next;
    if constexpr (!std::is_same_v<Stored, float>)
        static_cast<Stored*>(work.copies)[i] = stored<Stored>(next);
    if (!isfinite(next))
        atomicExch(&work.state->overflow, 1U);
}

__device__ float meanLoss(const UpdateWork& work)
{
    return static_cast<float>(work.state->lossSum / work.epochRows);
}

__device__ void startSums(DescentState& state)
{
    state.lossSum = 0;
    state.predictionDigest = 0;
    state.wrongRows = 0;
    state.lossFinite = 1;
}

__device__ void endEpoch(const UpdateWork& work)
{
    DescentState& state = *work.state;
    EpochRecord& record = work.records[state.epoch % recordSlots];
    record.loss = isfinite(state.spoiltLoss) ? meanLoss(work) : state.spoiltLoss;
    record.predictionDigest = state.predictionDigest;
    record.wrongRows = state.wrongRows;
    record.gradientNorm = static_cast<float>(sqrt(state.epochSquares / work.epochBatches));
    record.scaleExhausted = state.scaleExhausted != 0 ? 1U : 0U;
    if (!isfinite(record.loss))
        state.measureOnly = 1;
    state.epochSquares = 0;
    state.spoiltLoss = 0;
    startSums(state);
    ++state.epoch;
}

/// When the batch's step is taken, or is not to be. What follows one whose loss is not finite only
/// measures and does not count.
__device__ void endBatch(const UpdateWork& work, double gradientSquares)
{
    DescentState& state = *work.state;
    if (state.measureOnly == 0) {
        state.epochSquares += gradientSquares;
        if (state.lossFinite == 0) {
            state.spoiltLoss = meanLoss(work);
            state.measureOnly = 1;
        }
    }
    if (work.endsEpoch != 0)
        endEpoch(work);
    else
        startSums(state);
}

/// After the grid's steps: whether they stayed finite.
__device__ void noteStep(DescentState& state)
{
    state.finite = state.overflow == 0 ? 1 : 0;
    state.overflow = 0;
}

/// Whether the step may be taken, and what the loss scale becomes.
__device__ void decideStep(const UpdateWork& work)
{
    DescentState& state = *work.state;
    bool take = state.measureOnly == 0 && state.lossFinite != 0;
    if (take && work.scaled != 0) {
        if (isfinite(state.gradientSquares)) { // float64 holds the square of every finite float32
            if (++state.cleanSteps >= stepsToGrow) { // a restored state may be beyond
                state.cleanSteps = 0;
                state.lossScale = fminf(2 * state.lossScale, largestLossScale);
            }
        } else {
            take = false;
            state.cleanSteps = 0;
            ++state.skippedSteps;
            if (state.lossScale > smallestLossScale) {
                state.lossScale /= 2;
            } else {
                state.scaleExhausted = 1;
                state.measureOnly = 1;
            }
        }
    }
    state.takeStep = take ? 1 : 0;
}

/// The grid's sum of squares, for the first thread of the last block; false in other blocks.
__device__ bool addUpSquares(const UpdateWork& work, double square, double& sum)
{
    const double block = blockSum(square);
    if (threadIdx.x == 0)
        work.blockSquares[blockIdx.x] = block;
    if (!isLastBlock(&work.state->ticket))
        return false;
    const volatile double* blocks = work.blockSquares;
    double part = 0;
    for (unsigned int i = threadIdx.x; i < gridDim.x; i += sumThreads)
        part += blocks[i];
    sum = blockSum(part);
    return true;
}

__device__ double squareOf(float value)
{
    return static_cast<double>(value) * static_cast<double>(value);
}

template <typename Stored>
__global__ void updateKernel(UpdateWork work)
{
    const Place place = placeOf(work);
    const StepNumbers numbers =
        stepNumbers(work, work.state->measureOnly == 0 && work.state->lossFinite != 0);
    float gradient = 0;
    if (place.trainable) {
        gradient = gradientOf(work, place.weight);
        if (numbers.take)
            step<Stored>(work, numbers, place.weight, gradient);
    }
    double squares = 0;
    if (addUpSquares(work, squareOf(gradient), squares) && threadIdx.x == 0) {
        if (numbers.take)
            noteStep(*work.state);
        endBatch(work, squares);
    }
}

__global__ void gradientKernel(UpdateWork work)
{
    const Place place = placeOf(work);
    float gradient = 0;
    if (place.trainable) {
        gradient = gradientOf(work, place.weight);
        work.gradient[place.weight] = gradient;
        if (work.meanGradient != nullptr) {
            float& sum = work.meanGradient[place.weight];
            const float part = work.meanPart * gradient;
            sum = work.firstPart != 0 ? part : sum + part;
        }
    }
    double squares = 0;
    if (addUpSquares(work, squareOf(gradient), squares) && threadIdx.x == 0) {
        work.state->gradientSquares = squares;
        decideStep(work);
    }
}

template <typename Stored>
__global__ void stepKernel(UpdateWork work)
{
    const Place place = placeOf(work);
    const StepNumbers numbers = stepNumbers(work, work.state->takeStep != 0);
    if (numbers.take && place.trainable)
        step<Stored>(work, numbers, place.weight, work.gradient[place.weight]);
    __syncthreads(); // every thread of the block before its first one says so
    if (isLastBlock(&work.state->ticket) && threadIdx.x == 0) {
        if (numbers.take)
            noteStep(*work.state);
        endBatch(work, work.state->gradientSquares);
    }
}

__global__ void endOfEpochKernel(UpdateWork work)
{
    endEpoch(work);
}

} // namespace

cudaError_t launchUpdate(cudaStream_t stream, StoredType type, const UpdateWork& work)
{
    return withStoredType(type, [&](auto zero) {
        return launch(stream, work.blockCount, sumThreads, updateKernel<decltype(zero)>, work);
    });
}

cudaError_t launchGradient(cudaStream_t stream, const UpdateWork& work)
{
    return launch(stream, work.blockCount, sumThreads, gradientKernel, work);
}

cudaError_t launchStep(cudaStream_t stream, StoredType type, const UpdateWork& work)
{
    return withStoredType(type, [&](auto zero) {
        return launch(stream, work.blockCount, sumThreads, stepKernel<decltype(zero)>, work);
    });
}

cudaError_t launchEndOfEpoch(cudaStream_t stream, const UpdateWork& work)
{
    return launch(stream, 1, 1, endOfEpochKernel, work);
}

} // namespace fullbatch
