// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/network_shape.h"

#include <cstddef>
#include <cstdint>

namespace fullbatch {

/// One matrix product of a tile, C = A B, on arrays whose columns lie `stride` floats apart:
///   a: depth columns of `vectors` * lanes values, read as whole vectors
///   b: one value for each (column of C, depth), read as a broadcast
///   c: `columns` columns of `vectors` * lanes values
/// No pointer needs more than the alignment of a float; aligned to a cache line is fastest.
struct TileProduct
{
    std::int64_t vectors = 0; ///< of `lanes` values, in a column of A and C
    std::int64_t depth = 0;
    std::int64_t columns = 0;
    const float* a = nullptr;
    std::ptrdiff_t aStride = 0;
    const float* b = nullptr;
    std::ptrdiff_t bStride = 0; ///< see the kernel: between columns of C, or between depths
    float* c = nullptr;
    std::ptrdiff_t cStride = 0;
};

/// What an activation turns `columns` columns of `units` values, `stride` floats apart, into. The
/// columns are read and written as whole vectors; what lies beyond the units keeps its value.
struct TileActivation
{
    std::int64_t units = 0;
    std::int64_t columns = 0;
    std::ptrdiff_t stride = 0;
    float* values = nullptr; ///< replaced by the activation's value
    float* slopes = nullptr; ///< null, or where its derivative goes; 0 beyond the units
};

/// What is added up over samples.
struct LossSums
{
    double loss = 0; ///< sum, not mean
    std::uint64_t predictionDigest = 0;
    std::uint32_t wrongRows = 0;

    LossSums& operator+=(const LossSums& other)
    {
        loss += other.loss;
        predictionDigest += other.predictionDigest;
        wrongRows += other.wrongRows;
        return *this;
    }
};

/// What the update tells of a stretch.
struct UpdateResult
{
    double squares = 0; ///< of the mean gradient, summed
    bool finite = true; ///< every new weight
};

/// One stretch of the update by the rule of Optimiser, with the mean gradient the sum of the
/// partial gradients in their order, divided by the rows. The pointers are those of whole arrays.
struct UpdateStretch
{
    std::size_t offset = 0; ///< of the stretch within every array
    std::size_t size = 0; ///< a multiple of the lanes
    const float* const* partials = nullptr;
    std::size_t partialCount = 0;
    float inverseRows = 0;
    float* gradient = nullptr; ///< null, or where the mean gradient is wanted
    float* newWeights = nullptr; ///< null: no step
    const float* weights = nullptr;
    float* newVelocity = nullptr; ///< null without momentum
    const float* velocity = nullptr; ///< null without momentum
    float learningRate = 0;
    float momentum = 0;
    bool nesterov = false;
};

/// The arithmetic of the CPU engine for one instruction set. Every function is pure: its result
/// depends on its arguments alone, in a fixed order of additions.
struct TileKernels
{
    const char* name = nullptr; ///< "AVX-512", "AVX2", "baseline"
    int lanes = 0; ///< float32 values of a vector

    /// c = max(0, A b + bias). b: depth values a column, columns bStride apart.
    void (*forwardRelu)(const TileProduct& product, const float* bias) = nullptr;
    /// c = A b + bias.
    void (*forwardLinear)(const TileProduct& product, const float* bias) = nullptr;
    /// c = A b where the activation is positive, else 0. `activation` lies like c.
    void (*inputGradient)(const TileProduct& product, const float* activation) = nullptr;
    /// The same, times the slopes instead, which lie like c. Nothing passes a slope of 0.
    void (*inputGradientBySlopes)(const TileProduct& product, const float* slopes) = nullptr;
    /// c (+)= A b. b: `columns` values a depth, depths bStride apart.
    void (*weightGradient)(const TileProduct& product, bool accumulate) = nullptr;

    /// Any activation but ReLU, which the products have in them.
    void (*activate)(LayerKind kind, const TileActivation& tile) = nullptr;

    /// Softmax cross-entropy of `samples` columns of logits, `stride` apart. Replaces each column
    /// by the loss's gradient (softmax - one-hot, not divided by the rows). A column has room for
    /// whole vectors; what lies beyond `classes` becomes zero. `scratch` holds lanes floats for
    /// each value of a column. `rows` are the samples' rows in the data set.
    LossSums (*softmaxCrossEntropy)(float* logits, std::ptrdiff_t stride, std::int64_t samples,
                                    std::int64_t classes, const std::int32_t* labels,
                                    const std::uint32_t* rows, float* scratch) = nullptr;

    /// to[column * toStride + row] = from[row * fromStride + column]. The columns of `from` have
    /// room for whole vectors.
    void (*transpose)(const float* from, std::ptrdiff_t fromStride, float* to,
                      std::ptrdiff_t toStride, std::int64_t rows, std::int64_t columns) = nullptr;

    UpdateResult (*update)(const UpdateStretch& stretch) = nullptr;

    /// Multiply-adds without memory traffic, for measuring the peak: returns how many
    /// floating-point operations `repeats` rounds are, and puts a value that depends on them into
    /// `result`.
    double (*peakLoop)(std::int64_t repeats, float& result) = nullptr;
};

/// The best this processor has. The environment variable FULLBATCH_INSTRUCTION_SET (avx512, avx2,
/// baseline) asks for a lesser one, for comparisons; what the processor lacks is ignored.
[[nodiscard]] const TileKernels& tileKernels();

// One for each translation unit that is compiled for its instruction set; null where the program
// was built without it.
[[nodiscard]] const TileKernels* avx512TileKernels();
[[nodiscard]] const TileKernels* avx2TileKernels();
[[nodiscard]] const TileKernels& baselineTileKernels();

} // namespace fullbatch
