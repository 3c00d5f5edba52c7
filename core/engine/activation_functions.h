// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/network_shape.h"

#include <cmath>
#include <numbers>

namespace fullbatch {

/// PyTorch's default for nn.LeakyReLU.
inline constexpr double leakySlope = 0.01;

/// An activation's value and its derivative at one point. A NaN stays one in the value.
template <typename Real>
struct ActivationPoint
{
    Real value = 0;
    Real slope = 0;
};

/// ReLU max(0, x) and leaky ReLU, both with the slope below zero at zero, as PyTorch has it; tanh;
/// sigmoid 1 / (1 + e^-x); GELU x * Phi(x), Phi the normal distribution function by erf
/// (D. Hendrycks and K. Gimpel 2016).
template <typename Real>
[[nodiscard]] constexpr ActivationPoint<Real> activationAt(LayerKind kind, Real x)
{
    switch (kind) {
    case LayerKind::Dense:
        break;
    case LayerKind::Relu:
        return {x < 0 ? Real(0) : x, x > 0 ? Real(1) : Real(0)};
    case LayerKind::LeakyRelu: {
        const auto slope = x > 0 ? Real(1) : static_cast<Real>(leakySlope);
        return {slope * x, slope};
    }
    case LayerKind::Tanh: {
        const Real value = std::tanh(x);
        return {value, 1 - value * value};
    }
    case LayerKind::Sigmoid: {
        const Real value = 1 / (1 + std::exp(-x));
        return {value, value * (1 - value)};
    }
    case LayerKind::Gelu: {
        constexpr auto rootHalf = static_cast<Real>(1 / std::numbers::sqrt2);
        constexpr auto density = static_cast<Real>(0.39894228040143267794); // 1 / sqrt(2 pi)
        const Real below = std::erfc(-x * rootHalf) / 2; // Phi(x), exact far below zero too
        return {x * below, below + x * density * std::exp(-x * x / 2)};
    }
    }
    return {x, 1};
}

} // namespace fullbatch
