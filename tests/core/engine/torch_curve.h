// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace fullbatch {

/// One line of a curve that PyTorch computed. Test values are NaN between evaluations.
struct CurvePoint
{
    double trainErrorPercent = 0;
    double trainLoss = 0;
    double testErrorPercent = 0;
    double testLoss = 0;
};

/// Reads shared/oracle/torch-*.csv. Throws std::runtime_error naming the line.
[[nodiscard]] std::vector<CurvePoint> readTorchCurve(const std::filesystem::path& file);

/// The largest distances of two curves over the epochs of the shorter one. Losses are relative to
/// the second curve's; NaN in one curve alone is an infinite distance.
struct CurveDistance
{
    double trainLoss = 0;
    double trainErrorPercent = 0;
    double testLoss = 0;
    double testErrorPercent = 0;
    std::size_t evaluations = 0; ///< epochs at which both curves have test values
};
[[nodiscard]] CurveDistance curveDistance(const std::vector<CurvePoint>& curve,
                                          const std::vector<CurvePoint>& reference);

} // namespace fullbatch
