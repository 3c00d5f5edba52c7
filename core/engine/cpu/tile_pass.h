// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/cpu/aligned_floats.h"
#include "core/engine/cpu/packed_network.h"
#include "core/engine/cpu/tile_kernels.h"

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

/// Weights as the kernels read them.
struct PackedWeights
{
    const float* masters = nullptr;
    const float* copies = nullptr;
};

/// One thread's way through a tile: forward, loss and backward while the activations are in cache.
/// Owns the buffers for one tile; network and kernels outlive it. Not shared between threads.
class TilePass
{
public:
    TilePass(const PackedNetwork& network, const TileKernels& kernels, std::int64_t mostSamples);

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

private:
    const float* forward(const PackedWeights& weights, const float* inputs, std::int64_t samples,
                         bool keepSlopes);
    LossSums loss(const PackedWeights& weights, const TileRows& tile, bool keepSlopes);
    void backward(const PackedWeights& weights, const float* inputs, std::int64_t samples,
                  float* gradient, bool accumulate);

    const PackedNetwork& m_network;
    const TileKernels& m_kernels;
    std::vector<AlignedFloats> m_outputs; // of each dense layer: its activation, at last the logits
    std::vector<AlignedFloats> m_slopes; // of each hidden activation that is not a ReLU
    AlignedFloats m_deltas[2]; // loss gradients of a hidden activation, used in turn
    AlignedFloats m_scratch;
};

} // namespace fullbatch
