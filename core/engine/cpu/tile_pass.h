// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/cpu/aligned_floats.h"
#include "core/engine/cpu/packed_network.h"
#include "core/engine/cpu/tile_kernels.h"
#include "core/engine/training_engine.h"

#include <vector>

namespace fullbatch {

/// The rows of one tile, as columns of packed inputs (PackedLayer::inputStride of the first layer).
struct TileRows
{
    const float* inputs = nullptr;
    const std::int32_t* labels = nullptr;
    const std::uint32_t* rows = nullptr; ///< indexes in the data set, for the digest
    std::int64_t samples = 0;
};

/// Weights as the kernels read them, and what a pass with them makes of everything else that its
/// products read.
struct PackedWeights
{
    const float* masters = nullptr;
    const float* copies = nullptr;
    Precision precision = Precision::Fp32; ///< activations and deltas are rounded for it
    float deltaScale = 1; ///< of the derivatives by the logits, and so of the gradient; only fp16's
};

/// One thread's way through a tile: forward, loss and backward while the activations are in cache.
/// Owns the buffers for one tile; network and kernels outlive it. Not shared between threads.
class TilePass
{
public:
    /// Gradients by the activations are overwritten layer after layer, or kept for addGradient().
    enum class Deltas { InTurn, Kept };

    TilePass(const PackedNetwork& network, const TileKernels& kernels, std::int64_t mostSamples,
             Deltas deltas = Deltas::InTurn);

    /// Logits of the tile, classes of them every logitsStride() floats; valid until the next call.
    [[nodiscard]] const float* forward(const PackedWeights& weights, const float* inputs,
                                       std::int64_t samples)
    {
        return forward(weights, inputs, samples, false);
    }
    [[nodiscard]] std::int64_t logitsStride() const;

    [[nodiscard]] LossSums loss(const PackedWeights& weights, const TileRows& tile)
    {
        return loss(weights, tile, false);
    }

    /// Loss, and the tile's gradient (sum over its samples) written to `gradient`, an array like
    /// the masters, or added to it.
    [[nodiscard]] LossSums gradient(const PackedWeights& weights, const TileRows& tile,
                                    float* gradient, bool accumulate);

    /// Loss, and the gradients by all activations, which must be kept, for the next.
    [[nodiscard]] LossSums lossAndDeltas(const PackedWeights& weights, const TileRows& tile);
    /// The gradient of a part of the masters, for the tile of the last lossAndDeltas(), written to
    /// `gradient`, the part alone, or added to it. Threads may share these calls.
    void partGradient(const MasterPart& part, float* gradient, bool accumulate) const;

private:
    /// The gradient by a layer's outputs.
    struct Delta
    {
        const float* values;
        std::int64_t stride;
    };
    [[nodiscard]] Delta deltaOf(std::size_t layer) const;
    void inputGradient(const PackedWeights& weights, std::size_t layer, std::int64_t samples);

    const float* forward(const PackedWeights& weights, const float* inputs, std::int64_t samples,
                         bool keepSlopes);
    LossSums loss(const PackedWeights& weights, const TileRows& tile, bool keepSlopes);
    LossSums lossAndLastDelta(const PackedWeights& weights, const TileRows& tile);
    const PackedNetwork& m_network;
    const TileKernels& m_kernels;
    std::vector<AlignedFloats> m_outputs; // of each dense layer: its activation, at last the logits
    std::vector<AlignedFloats> m_slopes; // of each hidden activation that is not a ReLU
    std::vector<AlignedFloats> m_deltas; // loss gradients of hidden activations: all, or in turn
    TileRows m_tile; // of the last loss
    AlignedFloats m_scratch;
};

} // namespace fullbatch
