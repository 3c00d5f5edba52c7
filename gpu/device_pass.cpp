// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device_pass.h"

#include "gpu/cuda_error.h"
#include "gpu/kernels.h"

#include <algorithm>
#include <cmath>

namespace fullbatch {

namespace {

// What a grid has in its second and third dimension: products of more matrices have no algorithm
// on some devices.
constexpr std::size_t maximumBatch = 65535;

} // namespace

DevicePass::DevicePass(const ProductLibrary& library, const PaddedNetwork& network,
                       const Arithmetic& arithmetic, const EngineBuffers& buffers,
                       const RowChunks& rows, const Stream& stream, bool ownRelu)
    : m_library(library),
      m_network(network),
      m_arithmetic(arithmetic),
      m_buffers(buffers),
      m_rows(rows)
{
    planForward(stream, ownRelu);
    for (std::size_t l = 1; l < m_network.layers().size(); ++l)
        m_backward.push_back(plan(backwardShape(l)));
    planGradients();
}

DevicePass::Product DevicePass::plan(const ProductShape& shape)
{
    const auto known = std::find_if(m_products.begin(), m_products.end(),
                                    [&](const Product& each) { return each->shape() == shape; });
    if (known != m_products.end())
        return *known;
    m_products.push_back(std::make_shared<const MatrixProduct>(m_library, shape));
    return m_products.back();
}

/// Outputs (outputStride x columns) = weights * inputs.
ProductShape DevicePass::forwardShape(const PaddedLayer& layer) const
{
    ProductShape shape;
    shape.inputType = m_arithmetic.type;
    const bool asStored = layer.hidden() && !layer.keepsSlopes();
    shape.outputType = asStored ? m_arithmetic.type : CUDA_R_32F;
    shape.compute = m_arithmetic.compute;
    shape.rows = shape.strideA = shape.strideD = layer.outputStride;
    shape.columns = static_cast<std::int64_t>(m_rows.columns());
    shape.depth = shape.strideB = layer.inputStride;
    return shape;
}

/// Delta of the inputs (inputStride x columns) = weights^T * delta of the outputs.
ProductShape DevicePass::backwardShape(std::size_t index) const
{
    const PaddedLayer& layer = m_network.layers()[index];
    const bool asStored = !m_network.layers()[index - 1].keepsSlopes();
    ProductShape shape;
    shape.inputType = m_arithmetic.type;
    shape.outputType = asStored ? m_arithmetic.type : CUDA_R_32F;
    shape.compute = m_arithmetic.compute;
    shape.rows = shape.strideD = layer.inputStride;
    shape.columns = static_cast<std::int64_t>(m_rows.columns());
    shape.depth = shape.strideA = shape.strideB = layer.outputStride;
    shape.transposeA = true;
    return shape;
}

/// Partial gradient (outputStride x inputStride) = delta of the outputs * inputs^T, for each chunk
/// of each layer.
ProductShape DevicePass::gradientShape(const PaddedLayer& layer, std::size_t layers) const
{
    ProductShape shape;
    shape.inputType = m_arithmetic.type;
    shape.compute = m_arithmetic.compute;
    shape.rows = shape.strideA = shape.strideD = layer.outputStride;
    shape.columns = shape.strideB = layer.inputStride;
    shape.depth = static_cast<std::int64_t>(m_rows.chunkRows);
    shape.transposeB = true;
    shape.batch = static_cast<std::int32_t>(m_rows.chunks * layers);
    shape.distanceA = shape.depth * layer.outputStride;
    shape.distanceB = shape.depth * layer.inputStride;
    shape.distanceD = static_cast<std::int64_t>(layer.size);
    return shape;
}

void DevicePass::planForward(const Stream& stream, bool ownRelu)
{
    m_ownRelu = ownRelu;
    const std::span<const PaddedLayer> layers = m_network.layers();
    for (std::size_t l = 0; l < layers.size(); ++l) {
        ProductShape shape = forwardShape(layers[l]);
        shape.relu = layers[l].activation == LayerKind::Relu && !m_ownRelu;
        m_forward.push_back(plan(shape));
        const bool asked = l > 0 && m_forward[l] == m_forward[l - 1];
        if (shape.relu && !asked && !keepsNan(*m_forward[l], l, stream)) {
            m_forward.clear();
            planForward(stream, true);
            return;
        }
    }
}

void DevicePass::planGradients()
{
    const std::span<const PaddedLayer> layers = m_network.layers();
    for (std::size_t first = 0; first < layers.size();) {
        std::size_t end = first + 1;
        // The first layer's inputs and the last one's deltas lie elsewhere.
        while (first > 0 && end + 1 < layers.size()
               && (end + 1 - first) * m_rows.chunks <= maximumBatch
               && layers[end].inputStride == layers[first].inputStride
               && layers[end].outputStride == layers[first].outputStride)
            ++end;
        const std::size_t count = end - first;
        m_gradients.push_back({first, count, plan(gradientShape(layers[first], count))});
        first = end;
    }
}

/// Whether the product of NaN and anything comes out as NaN. No document says what a ReLU within a
/// product makes of it; 0 would hide that a run diverges.
bool DevicePass::keepsNan(const MatrixProduct& product, std::size_t layer,
                          const Stream& stream) const
{
    const void* inputs = inputsOf(m_buffers.gathered.data(), layer);
    const auto bytes =
        static_cast<std::size_t>(product.shape().strideB) * m_rows.columns() * m_arithmetic.bytes;
    // All bits set are a NaN in every type.
    check(cudaMemsetAsync(const_cast<void*>(inputs), 0xff, bytes, stream.get()), "cudaMemsetAsync");
    void* weights = m_buffers.partials.data(); // any numbers, in what holds nothing now
    check(cudaMemsetAsync(weights, 0, m_network.size() * m_arithmetic.bytes, stream.get()),
          "cudaMemsetAsync");
    product.queue(stream, weightsOf(weights, layer), inputs, deltaOf(layer));
    std::uint32_t bits = 0; // of the first number, or the first two
    check(cudaMemcpyAsync(&bits, deltaOf(layer), sizeof bits, cudaMemcpyDeviceToHost, stream.get()),
          "cudaMemcpyAsync");
    stream.synchronize();
    switch (m_arithmetic.stored) {
    case StoredType::Float16:
        return (bits & 0x7fffU) > 0x7c00U;
    case StoredType::BFloat16:
        return (bits & 0x7fffU) > 0x7f80U;
    case StoredType::Float32:
        break;
    }
    return (bits & 0x7fffffffU) > 0x7f800000U;
}

const void* DevicePass::weightsOf(const void* weights, std::size_t layer) const
{
    return static_cast<const char*>(weights)
        + m_network.layers()[layer].offset * m_arithmetic.bytes;
}

/// The matrix of a hidden layer in a buffer that holds one for each.
void* DevicePass::hiddenOf(const DeviceMemory& memory, std::size_t layer) const
{
    return memory.at<char>(hiddenOffset(layer) * m_arithmetic.bytes);
}

/// In numbers.
std::size_t DevicePass::hiddenOffset(std::size_t layer) const
{
    std::size_t units = 0;
    for (const PaddedLayer& each : m_network.layers().first(layer))
        units += static_cast<std::size_t>(each.outputStride);
    return units * m_rows.columns();
}

float* DevicePass::slopesOf(std::size_t layer) const
{
    return m_buffers.slopes.at<float>(hiddenOffset(layer));
}

const void* DevicePass::inputsOf(const void* inputs, std::size_t layer) const
{
    return layer == 0 ? inputs : hiddenOf(m_buffers.hidden, layer - 1);
}

/// Of the layer's outputs.
void* DevicePass::deltaOf(std::size_t layer) const
{
    return m_network.layers()[layer].hidden() ? hiddenOf(m_buffers.hiddenDelta, layer)
                                              : m_buffers.logitsDelta.data();
}

void DevicePass::queueForward(const Stream& stream, const void* weights, const void* inputs) const
{
    const std::span<const PaddedLayer> layers = m_network.layers();
    for (std::size_t l = 0; l < layers.size(); ++l) {
        void* outputs =
            layers[l].hidden() ? hiddenOf(m_buffers.hidden, l) : m_buffers.logits.data();
        if (layers[l].keepsSlopes())
            outputs = m_buffers.sums.data();
        m_forward[l]->queue(stream, weightsOf(weights, l), inputsOf(inputs, l), outputs);
        if (layers[l].hidden())
            queueActivation(stream, l);
    }
}

void DevicePass::queueActivation(const Stream& stream, std::size_t layer) const
{
    const PaddedLayer& below = m_network.layers()[layer];
    void* activation = hiddenOf(m_buffers.hidden, layer);
    const auto units = static_cast<int>(below.outputs);
    if (below.keepsSlopes()) {
        // Columns beyond the rows may become other than 0, but their deltas do not.
        const ActivationWork work{m_buffers.sums.at<float>(), activation,         slopesOf(layer),
                                  m_rows.columns(),           below.outputStride, units,
                                  *below.activation};
        check(launchActivation(stream.get(), m_arithmetic.stored, work), "activationKernel");
    } else if (m_ownRelu) {
        const ReluWork work{activation, nullptr, m_rows.columns(),
                            static_cast<int>(below.outputStride), units};
        check(launchRelu(stream.get(), m_arithmetic.stored, work), "reluKernel");
    }
}

/// From the derivative by a hidden layer's activation to that by what it is of.
void DevicePass::queueSlope(const Stream& stream, std::size_t layer) const
{
    const PaddedLayer& below = m_network.layers()[layer];
    if (below.keepsSlopes()) {
        const SlopeWork work{m_buffers.sums.at<float>(), slopesOf(layer), deltaOf(layer),
                             static_cast<std::size_t>(below.outputStride) * m_rows.columns()};
        check(launchSlope(stream.get(), m_arithmetic.stored, work), "slopeKernel");
    } else {
        const ReluWork work{hiddenOf(m_buffers.hidden, layer), deltaOf(layer), m_rows.columns(),
                            static_cast<int>(below.outputStride), static_cast<int>(below.outputs)};
        check(launchMask(stream.get(), m_arithmetic.stored, work), "maskKernel");
    }
}

void DevicePass::queueBackward(const Stream& stream, const void* weights, const void* inputs) const
{
    const std::span<const PaddedLayer> layers = m_network.layers();
    for (std::size_t l = layers.size() - 1; l > 0; --l) {
        void* derivative = layers[l - 1].keepsSlopes() ? m_buffers.sums.data() : deltaOf(l - 1);
        m_backward[l - 1]->queue(stream, weightsOf(weights, l), deltaOf(l), derivative);
        queueSlope(stream, l - 1);
    }
    for (const GradientBatch& batch : m_gradients) {
        float* partials = m_buffers.partials.at<float>(m_rows.chunks * layers[batch.first].offset);
        batch.product->queue(stream, deltaOf(batch.first), inputsOf(inputs, batch.first), partials);
    }
}

} // namespace fullbatch
