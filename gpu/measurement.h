// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device_descent.h"
#include "gpu/device_problem.h"

namespace fullbatch {

/// What is asked of an engine beside training: it uses the buffers of a pass and a state of its
/// own, and changes nothing that training depends on. The problem must outlive it.
class Measurement
{
public:
    explicit Measurement(DeviceProblem& problem) : m_problem(problem) { }

    /// At the given weights, as the products read them.
    [[nodiscard]] Evaluation evaluate(const void* weights, SplitName split);
    [[nodiscard]] Eigen::MatrixXf predict(const void* weights, const Eigen::MatrixXf& inputs);

    /// The mean gradient over the rows, or all when none are named. `work` as
    /// DeviceDescent::updateWork() gives it.
    [[nodiscard]] Parameters gradientAt(const Parameters& parameters,
                                        std::span<const std::uint32_t> rows, UpdateWork work);

private:
    void startState(float lossScale);
    [[nodiscard]] DescentState readState();
    [[nodiscard]] const void* sendWeights(const Parameters& parameters);
    void addUpGradient(const void* weights, std::span<const std::uint32_t> rows, std::size_t count,
                       UpdateWork& work);

    DeviceProblem& m_problem;
};

} // namespace fullbatch
