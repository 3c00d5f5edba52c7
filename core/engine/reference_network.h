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

/// A network's forward and backward pass in float64, layer by layer, written to be read. Parameters
/// are flat arrays in the layout of Parameters; matrices are features x rows.
class ReferenceNetwork
{
public:
    /// Of the shape and tensors that `parameters` have.
    explicit ReferenceNetwork(const Parameters& parameters);

    /// The inputs of each layer, then the logits.
    using Activations = std::vector<Eigen::MatrixXd>;
    [[nodiscard]] Activations forward(const Eigen::VectorXd& parameters,
                                      const Eigen::MatrixXd& inputs) const;

    /// Adds the rows to `sums`. False when stopped before the last row.
    bool addRows(const Eigen::VectorXd& parameters, const Split& split, const RowSet& rows,
                 ReferenceSums& sums, const std::stop_token& stop) const;

private:
    void backward(const Eigen::VectorXd& parameters, const Activations& activations,
                  Eigen::MatrixXd delta, Eigen::VectorXd& gradient) const;

    /// A layer and, where it is dense, its tensors.
    struct Step
    {
        Layer layer;
        TensorInfo weight;
        TensorInfo bias;
    };
    std::vector<Step> m_steps;
};

} // namespace fullbatch
