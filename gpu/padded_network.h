// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/parameters.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace fullbatch {

/// Where one dense layer lies within the padded weights. Sizes are in numbers, not bytes.
///
/// An activation is a column of `inputStride` numbers: the layer's inputs, the ones unit (constant
/// 1, so that the bias is one more weight and no product needs a bias), zeros. The weights are a
/// column of `outputStride` for each of those inputs. A hidden layer makes its successor's ones
/// unit itself: row `outputs` has a single 1, at the bias. Everything else beyond the layer's own
/// weights is 0 and stays so. No activation touches what is beyond the layer's units.
struct PaddedLayer
{
    std::int64_t inputs = 0;
    std::int64_t outputs = 0;
    std::int64_t inputStride = 0; ///< inputs + 1, padded
    std::int64_t outputStride = 0; ///< outputs, and 1 for a hidden layer's ones unit, padded
    std::optional<LayerKind> activation; ///< that follows; none behind the last layer
    std::size_t offset = 0; ///< of the first weight
    std::size_t size = 0; ///< until the next layer's; at least inputStride * outputStride

    [[nodiscard]] bool hidden() const { return activation.has_value(); }
    /// Whether the activation's slopes are kept from forward to backward. A ReLU's are in its
    /// values.
    [[nodiscard]] bool keepsSlopes() const { return hidden() && *activation != LayerKind::Relu; }
};

/// A network's matrices as the products want them: column-major, units x rows, every stride a
/// multiple of 16 bytes (cuBLAS' condition for its fast kernels), every layer on 256 bytes. Depends
/// on the shape and the size of a stored number alone. Immutable.
class PaddedNetwork
{
public:
    PaddedNetwork(const NetworkShape& shape, std::size_t bytesPerNumber);

    [[nodiscard]] std::span<const PaddedLayer> layers() const { return m_layers; }
    [[nodiscard]] std::size_t size() const { return m_size; } ///< of all weights, padded
    [[nodiscard]] std::size_t parameterCount() const { return m_parameterCount; }
    [[nodiscard]] std::int64_t padding() const { return m_padding; } ///< strides' multiple
    /// Hidden units of all layers with their padding: numbers of one row's hidden activations.
    [[nodiscard]] std::size_t hiddenStrides() const;
    /// The widest of the layers that keep slopes, padded; 0 without one.
    [[nodiscard]] std::size_t widestWithSlopes() const;

    /// Spreads values in PyTorch's order over `size()` numbers; the rest keeps what it has.
    void pack(std::span<const float> values, std::span<float> padded) const;
    void unpack(std::span<const float> padded, std::span<float> values) const;
    /// The fixed numbers: zeros, and a 1 for each hidden layer's ones unit.
    void setFixed(std::span<float> padded) const;
    /// 1 for each number that training changes.
    [[nodiscard]] std::vector<std::uint8_t> trainable() const;

private:
    std::int64_t m_padding;
    std::vector<PaddedLayer> m_layers;
    std::size_t m_size = 0;
    std::size_t m_parameterCount = 0;
};

/// How the rows of a pass are cut for the weights' gradients: each chunk of rows gives a partial
/// gradient, added up in order afterwards, so that a product of few rows and columns still fills a
/// device. A pass works on whole chunks; the columns beyond its rows are zero.
struct RowChunks
{
    std::size_t chunkRows = 0; ///< a multiple of 16, so that each chunk begins on 256 bytes
    std::size_t chunks = 0;

    [[nodiscard]] std::size_t columns() const { return chunkRows * chunks; }
};

/// For all training rows. 4,000 rows make 25 chunks of 160. Partial gradients of large networks are
/// bounded to 128 MiB, by fewer chunks.
[[nodiscard]] RowChunks wholeChunks(std::size_t trainRows, std::size_t weights);
/// For at most as many rows: the same chunks, or one that is just large enough.
[[nodiscard]] RowChunks partChunks(std::size_t rows, const RowChunks& whole);

} // namespace fullbatch
