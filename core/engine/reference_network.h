// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/dataset.h"
#include "core/engine/epoch_batches.h"
#include "core/network/parameters.h"

namespace fullbatch {

/// What is added up over rows in float64.
struct ReferenceSums
{
    double loss = 0;
    std::uint64_t predictionDigest = 0;
    std::uint32_t wrongRows = 0;
    Eigen::VectorXd gradient; ///< of the summed loss; empty when not asked for
};

/// A multilayer perceptron's forward and backward pass in float64, written to be read. Parameters
/// are flat arrays in the layout of Parameters; matrices are features x rows.
class ReferenceNetwork
{
public:
    /// Weight and bias of each dense layer in turn.
    explicit ReferenceNetwork(std::span<const TensorInfo> tensors)
        : m_tensors(tensors.begin(), tensors.end())
    {
    }

    /// The inputs of each dense layer, then the logits.
    using Activations = std::vector<Eigen::MatrixXd>;
    [[nodiscard]] Activations forward(const Eigen::VectorXd& parameters,
                                      const Eigen::MatrixXd& inputs) const;

    /// Adds the rows to `sums`. False when stopped before the last row.
    bool addRows(const Eigen::VectorXd& parameters, const Split& split, const RowSet& rows,
                 ReferenceSums& sums, const std::stop_token& stop) const;

private:
    void backward(const Eigen::VectorXd& parameters, const Activations& activations,
                  Eigen::MatrixXd delta, Eigen::VectorXd& gradient) const;

    std::vector<TensorInfo> m_tensors;
};

} // namespace fullbatch
