// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The update of a stretch of parameters and the loop that measures the peak, for the instruction
// set of the including file.

#include "core/engine/cpu/lanes.h"
#include "core/engine/cpu/tile_kernels.h"

namespace fullbatch {
namespace {

UpdateResult update(const UpdateStretch& stretch)
{
    using DoubleLanes = double __attribute__((vector_size(laneCount * sizeof(double))));
    DoubleLanes squares = {};
    Lanes zeros = {}; // zero times a value is zero unless the value is infinite or NaN
    const std::size_t end = stretch.offset + stretch.size;
    for (std::size_t i = stretch.offset; i < end; i += laneCount) {
        Lanes gradient = {};
        for (std::size_t k = 0; k < stretch.partialCount; ++k)
            gradient += load(stretch.partials[k] + i);
        gradient *= stretch.inverseRows;
        const DoubleLanes wide = __builtin_convertvector(gradient, DoubleLanes);
        squares += wide * wide;
        if (stretch.gradient != nullptr)
            store(stretch.gradient + i, gradient);
        if (stretch.newWeights == nullptr)
            continue;
        Lanes step = gradient;
        if (stretch.newVelocity != nullptr) {
            step = multiplyAdd(load(stretch.velocity + i), broadcast(stretch.momentum), gradient);
            store(stretch.newVelocity + i, step);
            if (stretch.nesterov)
                step = multiplyAdd(step, broadcast(stretch.momentum), gradient);
        }
        const Lanes weights =
            multiplyAdd(step, broadcast(-stretch.learningRate), load(stretch.weights + i));
        store(stretch.newWeights + i, weights);
        zeros += weights * 0.0F;
    }
    UpdateResult result;
    for (int lane = 0; lane < laneCount; ++lane) {
        result.squares += squares[lane];
        result.finite = result.finite && zeros[lane] == 0;
    }
    return result;
}

// A dozen independent sums: enough to cover the latency of a multiply-add on every core that has
// the instruction set.
double peakLoop(std::int64_t repeats, float& result)
{
    constexpr int chains = 12;
    Lanes sums[chains];
    for (int i = 0; i < chains; ++i)
        sums[i] = broadcast(static_cast<float>(i));
    const Lanes factor = broadcast(0.999F);
    const Lanes term = broadcast(0.001F);
    for (std::int64_t k = 0; k < repeats; ++k) {
#pragma GCC unroll 12
        for (int i = 0; i < chains; ++i)
            sums[i] = multiplyAdd(sums[i], factor, term);
    }
    Lanes total = {};
    for (int i = 0; i < chains; ++i)
        total += sums[i];
    result = total[0];
    return 2.0 * chains * laneCount * static_cast<double>(repeats);
}

} // namespace
} // namespace fullbatch
