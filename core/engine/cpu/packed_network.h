// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engine/cpu/tile_kernels.h"
#include "core/network/parameters.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fullbatch {

/// Where one dense layer lies within the engine's packed arrays. Sizes are in floats.
///
/// An activation is a column of `inputStride` values: the layer's inputs, the ones unit (constant
/// 1, so that the bias is one more weight), zeros. Every column begins on a vector boundary.
///
/// The weights exist twice, because each product wants them along its vectors:
///   by input: a column of outputs (outputStride) for each input, then the bias column
///   by output: a column of inputs (inputStride) for each output
/// One of the two is the master, which the update writes and whose layout the gradient has; the
/// other is a transposed copy, made once an epoch. The master is the one that pads less.
struct PackedLayer
{
    std::int64_t inputs = 0;
    std::int64_t outputs = 0;
    std::int64_t inputStride = 0; ///< inputs + 1, rounded up to whole vectors
    std::int64_t outputStride = 0; ///< outputs, rounded up to whole vectors
    bool masterByOutput = false;
    std::optional<LayerKind> activation; ///< what follows; nothing behind the last
    std::size_t master = 0; ///< offset within the master array
    std::size_t masterSize = 0;
    std::size_t copy = 0; ///< offset within the copies
    std::size_t copySize = 0; ///< 0: the copy is never needed

    [[nodiscard]] const float* byInput(const float* masters, const float* copies) const
    {
        return masterByOutput ? copies + copy : masters + master;
    }
    [[nodiscard]] const float* byOutput(const float* masters, const float* copies) const
    {
        return masterByOutput ? masters + master : copies + copy;
    }
    [[nodiscard]] std::int64_t byOutputStride(int lanes) const
    {
        return masterByOutput ? inputStride : (inputs + lanes - 1) / lanes * lanes;
    }
};

/// Some neighbouring columns of a layer's master: a piece of work for one thread.
struct MasterPart
{
    std::size_t layer = 0;
    std::int64_t firstColumn = 0;
    std::int64_t columns = 0;
    std::size_t offset = 0; ///< within the master array
    std::size_t size = 0; ///< of its columns; floats
};

/// The padded layout of a network for vectors of `lanes` values. Depends on the shape and the lanes
/// alone. Immutable.
class PackedNetwork
{
public:
    PackedNetwork(const NetworkShape& shape, int lanes);

    [[nodiscard]] std::span<const PackedLayer> layers() const { return m_layers; }
    [[nodiscard]] int lanes() const { return m_lanes; }
    [[nodiscard]] std::size_t parameterCount() const { return m_parameterCount; }
    [[nodiscard]] std::size_t masterSize() const { return m_masterSize; }
    [[nodiscard]] std::size_t copiesSize() const { return m_copiesSize; }

    /// Spreads values in PyTorch's order over a master array; padding is left as it is.
    void pack(std::span<const float> values, float* masters) const;
    void unpack(const float* masters, std::span<float> values) const;
    /// Sets the padding that makes every hidden layer give its own ones unit: a bias of 1 on a unit
    /// without weights. (Where a width fills its vectors, the tile's buffer holds the 1 instead.)
    void setOnes(float* masters) const;
    /// All columns of all layers. They depend on the shape and the lanes alone.
    [[nodiscard]] std::span<const MasterPart> parts() const { return m_parts; }
    /// Makes what the copies have of a part of the masters.
    void copyPart(const TileKernels& kernels, const MasterPart& part, const float* masters,
                  float* copies) const;

private:
    int m_lanes;
    std::vector<PackedLayer> m_layers;
    std::vector<MasterPart> m_parts;
    std::size_t m_parameterCount = 0;
    std::size_t m_masterSize = 0;
    std::size_t m_copiesSize = 0;
};

} // namespace fullbatch
