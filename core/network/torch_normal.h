// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <random>
#include <span>

namespace fullbatch {

/// PyTorch's normal_() for float32 on the CPU, every bit of it, on a generator that a
/// torch.manual_seed() began. A plain value: it keeps the second number of a pair, as PyTorch's
/// generator does.
///
/// Both ways are that of G. Box and M. Muller (1958). From 16 numbers on, PyTorch fills the tensor
/// with uniform numbers and turns 16 of them at a time into normal ones in float32, with the
/// logarithm, sine and cosine of S. Moshier's Cephes library, in which the compiler fused some
/// multiplications with additions: those are std::fma here. Where the count is no multiple of 16,
/// the last 16 are drawn and made once more. Fewer than 16 numbers come in pairs from float64.
class TorchNormal
{
public:
    /// Draws values of mean 0.
    void fill(std::span<float> values, double standardDeviation, std::mt19937& generator);

private:
    double next(std::mt19937& generator);
    std::optional<double> m_second; // of the last pair
};

} // namespace fullbatch
