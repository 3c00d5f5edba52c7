// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "core/engine/epoch_batches.h"
#include "core/engine/tile_products.h"
#include "core/network/parameters.h"

namespace fullbatch {

/// What is added up over rows in float32 training.
struct TrainingSums
{
    double loss = 0;
    std::uint64_t predictionDigest = 0;
    std::uint32_t wrongRows = 0;

    TrainingSums& operator+=(const TrainingSums& other)
    {
        loss += other.loss;
        predictionDigest += other.predictionDigest;
        wrongRows += other.wrongRows;
        return *this;
    }
};

/// Forward, loss and backward of one tile of rows at a time, with the buffers for it. One thread
/// uses an object; nothing is allocated after construction.
class TilePass
{
public:
    /// `layout` gives shape and places of the tensors; its values are not used.
    TilePass(const Parameters& layout, std::size_t tileRows);

    /// Logits, classes x rows, of inputs, features x rows; rows at most tileRows. Valid until the
    /// next call.
    [[nodiscard]] const float* forward(const float* parameters, const float* inputs,
                                       std::size_t rows);

    /// Loss and predictions of the rows, at most tileRows. Adds the gradient of their summed loss
    /// to `gradient` (in the layout of Parameters) unless it is null.
    TrainingSums run(const float* parameters, const Split& split, const RowSet& rows,
                     float* gradient);

private:
    /// A dense layer and the places of its tensors.
    struct Dense
    {
        std::ptrdiff_t inputs;
        std::ptrdiff_t outputs;
        std::size_t weight;
        std::size_t bias;
    };

    const float* gather(const Split& split, const RowSet& rows);
    void backward(const float* parameters, const float* inputs, std::size_t rows, float* gradient);

    std::vector<Dense> m_layers;
    std::vector<std::vector<float>> m_outputs; // of each layer, after the ReLU: outputs x tileRows
    std::vector<float> m_gathered; // features x tileRows
    std::vector<float> m_delta; // by the outputs of the layer at hand: widest x tileRows
    std::vector<float> m_nextDelta;
};

} // namespace fullbatch
