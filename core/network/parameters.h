// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/network_shape.h"

#include <Eigen/Core>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace fullbatch {

enum class TensorKind { Weight, Bias };

/// Where one tensor lies within Parameters.
struct TensorInfo
{
    std::string name; ///< PyTorch's nn.Sequential name: "0.weight", "0.bias", "2.weight", ...
    std::size_t layer = 0; ///< index into NetworkShape::layers()
    TensorKind kind = TensorKind::Weight;
    std::int64_t rows = 0; ///< outputs
    std::int64_t columns = 0; ///< inputs; 1 for a bias
    std::size_t offset = 0; ///< of the first value

    [[nodiscard]] std::size_t size() const { return static_cast<std::size_t>(rows * columns); }
};

using RowMajorMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Every weight and bias of a network as one contiguous float32 array, in PyTorch's order and
/// layout: for each dense layer the weight (outputs x inputs, row-major), then the bias.
/// Copies, distances, checksums and exports are each one loop over values(). A plain value:
/// copying copies the numbers; the tensor table is shared.
class Parameters
{
public:
    Parameters() = default;
    /// All zeros. Throws std::bad_alloc when there is not enough memory.
    explicit Parameters(const NetworkShape& shape);

    [[nodiscard]] std::span<float> values() { return m_values; }
    [[nodiscard]] std::span<const float> values() const { return m_values; }
    [[nodiscard]] std::span<const TensorInfo> tensors() const { return m_table->tensors; }
    [[nodiscard]] const NetworkShape& shape() const { return m_table->shape; }

    /// The tensor as outputs x inputs (a bias is outputs x 1). Valid as long as this object is.
    [[nodiscard]] Eigen::Map<RowMajorMatrix> view(const TensorInfo& tensor);
    [[nodiscard]] Eigen::Map<const RowMajorMatrix> view(const TensorInfo& tensor) const;

private:
    struct Table
    {
        NetworkShape shape;
        std::vector<TensorInfo> tensors;
    };
    std::shared_ptr<const Table> m_table;
    std::vector<float> m_values;
};

} // namespace fullbatch
