// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/engine_buffers.h"
#include "gpu/matrix_product.h"

#include <memory>

namespace fullbatch {

/// Forward and backward of a network over some columns of inputs, as products and kernels on one
/// stream. All products are planned in the constructor. Buffers and library must outlive it and are
/// shared with other passes on the same stream.
///
/// For each layer one product forward, and backward one for the derivative by its inputs, with the
/// slope of the activation in a kernel of its own, and one for the partial gradients of its
/// weights, a batch of one matrix a chunk. A ReLU is part of the product forward; other activations
/// are a kernel, which is given the product's float32 sums. Hidden layers of equal padded size lie
/// one behind the other, so that their partial gradients are a single batch.
class DevicePass
{
public:
    /// With `ownRelu` the products' own ReLU is not used.
    DevicePass(const ProductLibrary& library, const PaddedNetwork& network,
               const Arithmetic& arithmetic, const EngineBuffers& buffers, const RowChunks& rows,
               const Stream& stream, bool ownRelu);

    [[nodiscard]] const RowChunks& rows() const { return m_rows; }
    /// Whether a layer's ReLU needs a kernel, because the product's would turn NaN into 0.
    [[nodiscard]] bool usesOwnRelu() const { return m_ownRelu; }

    /// Logits of `inputs` into the buffer for them. Weights are in the stored type.
    void queueForward(const Stream& stream, const void* weights, const void* inputs) const;
    /// From the logits' deltas and the last forward's activations to the partial gradients.
    void queueBackward(const Stream& stream, const void* weights, const void* inputs) const;

private:
    using Product = std::shared_ptr<const MatrixProduct>;
    /// Layers first .. first + count - 1 in one batch.
    struct GradientBatch
    {
        std::size_t first = 0;
        std::size_t count = 0;
        Product product;
    };

    [[nodiscard]] Product plan(const ProductShape& shape);
    [[nodiscard]] ProductShape forwardShape(const PaddedLayer& layer) const;
    [[nodiscard]] ProductShape backwardShape(std::size_t index) const;
    [[nodiscard]] ProductShape gradientShape(const PaddedLayer& layer, std::size_t layers) const;
    void queueActivation(const Stream& stream, std::size_t layer) const;
    void queueSlope(const Stream& stream, std::size_t layer) const;
    void planForward(const Stream& stream, bool ownRelu);
    void planGradients();
    [[nodiscard]] bool keepsNan(const MatrixProduct& product, std::size_t layer,
                                const Stream& stream) const;

    [[nodiscard]] const void* weightsOf(const void* weights, std::size_t layer) const;
    [[nodiscard]] void* hiddenOf(const DeviceMemory& memory, std::size_t layer) const;
    [[nodiscard]] std::size_t hiddenOffset(std::size_t layer) const;
    [[nodiscard]] const void* inputsOf(const void* inputs, std::size_t layer) const;
    [[nodiscard]] void* deltaOf(std::size_t layer) const;
    [[nodiscard]] float* slopesOf(std::size_t layer) const;

    const ProductLibrary& m_library;
    const PaddedNetwork& m_network;
    Arithmetic m_arithmetic;
    const EngineBuffers& m_buffers;
    RowChunks m_rows;
    std::vector<Product> m_products; // all that are planned, each once
    std::vector<Product> m_forward; // one a layer
    std::vector<Product> m_backward; // one a layer but the first
    std::vector<GradientBatch> m_gradients;
    bool m_ownRelu = false;
};

} // namespace fullbatch
