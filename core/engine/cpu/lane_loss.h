// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Softmax cross-entropy of a tile, for the instruction set of the including file: one lane a
// sample, so that maximum, sum and division need no steps across lanes.

#include "core/engine/cpu/lanes.h"
#include "core/engine/cpu/tile_kernels.h"
#include "core/engine/prediction_digest.h"

#include <cmath>

namespace fullbatch {
namespace {

// Adds up logarithms as the logarithm of a product: one std::log for many samples, in double. Each
// factor is at least 1 (the largest term of a softmax's sum is e^0), so the product only grows.
class LogarithmSum
{
public:
    void add(float factor)
    {
        m_product *= static_cast<double>(factor);
        if (!(m_product < 1e250)) // also for inf and NaN
            flush();
    }
    double sum()
    {
        flush();
        return m_sum;
    }

private:
    void flush()
    {
        m_sum += std::log(m_product);
        m_product = 1;
    }
    double m_product = 1;
    double m_sum = 0;
};

// scratch: classes x lanes, from the columns of `count` samples; missing samples are zero.
void samplesToLanes(const float* columns, std::ptrdiff_t stride, int count, std::int64_t classes,
                    float* scratch)
{
    for (std::int64_t c = 0; c < classes; c += laneCount) {
        Lanes square[laneCount];
#pragma GCC unroll 16
        for (int s = 0; s < laneCount; ++s)
            square[s] = s < count ? load(columns + s * stride + c) : Lanes{};
        transposeSquare(square);
#pragma GCC unroll 16
        for (int i = 0; i < laneCount; ++i)
            store(scratch + (c + i) * laneCount, square[i]);
    }
}

void lanesToSamples(const float* scratch, float* columns, std::ptrdiff_t stride, int count,
                    std::int64_t classes)
{
    for (std::int64_t c = 0; c < classes; c += laneCount) {
        Lanes square[laneCount];
#pragma GCC unroll 16
        for (int i = 0; i < laneCount; ++i)
            square[i] = c + i < classes ? load(scratch + (c + i) * laneCount) : Lanes{};
        transposeSquare(square);
#pragma GCC unroll 16
        for (int s = 0; s < laneCount; ++s)
            if (s < count)
                store(columns + s * stride + c, square[s]);
    }
}

LossSums softmaxCrossEntropy(float* logits, std::ptrdiff_t stride, std::int64_t samples,
                             std::int64_t classes, const std::int32_t* labels,
                             const std::uint32_t* rows, float* scratch)
{
    LossSums sums;
    LogarithmSum logarithms;
    for (std::int64_t first = 0; first < samples; first += laneCount) {
        const int count =
            samples - first < laneCount ? static_cast<int>(samples - first) : laneCount;
        float* tile = logits + first * stride;
        samplesToLanes(tile, stride, count, classes, scratch);

        Lanes largest = load(scratch);
        IntLanes predicted = {};
        for (std::int64_t c = 1; c < classes; ++c) {
            const Lanes value = load(scratch + c * laneCount);
            predicted = value > largest ? IntLanes{} + static_cast<std::int32_t>(c) : predicted;
            largest = value > largest ? value : largest;
        }
        for (int s = 0; s < count; ++s) {
            const std::int32_t label = labels[first + s];
            sums.loss +=
                static_cast<double>(largest[s]) - static_cast<double>(tile[s * stride + label]);
            sums.wrongRows += predicted[s] != label ? 1U : 0U;
            sums.predictionDigest +=
                predictionDigest(rows[first + s], static_cast<std::uint64_t>(predicted[s]));
        }

        Lanes total = {};
        for (std::int64_t c = 0; c < classes; ++c) {
            const Lanes term = exponential(load(scratch + c * laneCount) - largest);
            store(scratch + c * laneCount, term);
            total += term;
        }
        const Lanes inverse = 1.0F / total;
        for (std::int64_t c = 0; c < classes; ++c)
            store(scratch + c * laneCount, load(scratch + c * laneCount) * inverse);
        lanesToSamples(scratch, tile, stride, count, classes);
        for (int s = 0; s < count; ++s) {
            logarithms.add(total[s]);
            tile[s * stride + labels[first + s]] -= 1;
        }
    }
    sums.loss += logarithms.sum();
    return sums;
}

} // namespace
} // namespace fullbatch
