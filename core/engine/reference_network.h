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
///
/// In a reduced precision it is the model of what other engines do: everything that a product reads
/// (inputs, activations, deltas; the caller gives rounded parameters) is rounded as roundedFor()
/// says, the logits are float32, and only the sums are more exact than theirs.
class ReferenceNetwork
{
public:
    /// Of the shape and tensors that `parameters` have.
    ReferenceNetwork(const Parameters& parameters, Precision precision);

    /// The inputs of each layer, then the logits.
    using Activations = std::vector<Eigen::MatrixXd>;
    [[nodiscard]] Activations forward(const Eigen::VectorXd& parameters,
                                      const Eigen::MatrixXd& inputs) const;

    /// Adds the rows to `sums`. The derivatives by the logits, and so the gradient, are
    /// `deltaScale` times as large. False when stopped before the last row.
    bool addRows(const Eigen::VectorXd& parameters, const Split& split, const RowSet& rows,
                 double deltaScale, ReferenceSums& sums, const std::stop_token& stop) const;

private:
    [[nodiscard]] Eigen::MatrixXd rounded(const Eigen::MatrixXd& values) const;
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
    Precision m_precision;
};

} // namespace fullbatch
