// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Activations other than ReLU, and their derivatives, for the instruction set of the including
// file. Within 4 ulp of the exact value; what is below 1e-37 becomes 0. A NaN stays one.

#include "core/engine/activation_functions.h"
#include "core/engine/cpu/lanes.h"
#include "core/engine/cpu/tile_kernels.h"

namespace fullbatch {
namespace {

struct LanePoint
{
    Lanes value;
    Lanes slope;
};

inline Lanes magnitude(Lanes x)
{
    return (Lanes)((IntLanes)x & 0x7fffffff);
}

// `x` with the sign of `sign`; x >= 0.
inline Lanes withSign(Lanes x, Lanes sign)
{
    return (Lanes)((IntLanes)x | ((IntLanes)sign & ~0x7fffffff));
}

// e^(x + rest) as exponential(), but 0 below -87.
inline Lanes vanishingExponential(Lanes x, Lanes rest)
{
    return x < -87.0F ? Lanes{} : exponential(x, rest);
}

inline LanePoint leakyRelu(Lanes x)
{
    const Lanes slope = x > 0 ? broadcast(1) : broadcast(static_cast<float>(leakySlope));
    return {slope * x, slope};
}

// From t = e^-|x|, which never overflows: 1 / (1 + t) above zero, t / (1 + t) below. The derivative
// value * (1 - value) is t / (1 + t)^2 on both sides, without cancellation.
inline LanePoint sigmoid(Lanes x)
{
    const Lanes t = vanishingExponential(-magnitude(x), -Lanes{});
    const Lanes inverse = 1.0F / (1.0F + t);
    const Lanes below = t * inverse;
    return {x < 0 ? below : inverse, below * inverse};
}

// From t = e^-2|x|: (1 - t) / (1 + t), whose derivative is 4 t / (1 + t)^2. Near zero, where the
// difference would cancel, an odd polynomial (S. Moshier, Cephes, tanhf).
inline LanePoint hyperbolicTangent(Lanes x)
{
    const Lanes a = magnitude(x);
    const Lanes t = vanishingExponential(-2.0F * a, -Lanes{});
    const Lanes inverse = 1.0F / (1.0F + t);
    const Lanes square = x * x;
    Lanes p = broadcast(-5.70498872745e-3F);
    p = multiplyAdd(p, square, broadcast(2.06390887954e-2F));
    p = multiplyAdd(p, square, broadcast(-5.37397155531e-2F));
    p = multiplyAdd(p, square, broadcast(1.33314422036e-1F));
    p = multiplyAdd(p, square, broadcast(-3.33332819422e-1F));
    const Lanes near = multiplyAdd(p * square, x, x);
    const Lanes far = withSign((1.0F - t) * inverse, x);
    return {a < 0.625F ? near : far, 4.0F * t * inverse * inverse};
}

// GELU x * Phi(x) with the derivative Phi(x) + x phi(x). The normal distribution below zero is
// Phi(-a) = e^(-a^2 / 2) m(a), m(a) = erfcx(a / sqrt 2) / 2, so that its tail keeps its digits.
// m on 0 .. 14 is a polynomial of degree 9 in y = (a - 3) / (a + 3), relative error 1.2e-7: linear
// least squares with weights 1 / m at the 4000 Chebyshev nodes of y's range, in double (numpy's
// lstsq, torch.special.erfcx), coefficients rounded to float32.
inline LanePoint gelu(Lanes x)
{
    Lanes a = magnitude(x);
    a = a > 14.0F ? broadcast(14.0F) : a; // the exponential is 0 there
    const Lanes y = (a - 3.0F) / (a + 3.0F);
    Lanes m = broadcast(5.38749046e-05F);
    m = multiplyAdd(m, y, broadcast(0.000115652394F));
    m = multiplyAdd(m, y, broadcast(-0.000339747698F));
    m = multiplyAdd(m, y, broadcast(-0.000983847305F));
    m = multiplyAdd(m, y, broadcast(0.00290467753F));
    m = multiplyAdd(m, y, broadcast(0.0061320886F));
    m = multiplyAdd(m, y, broadcast(-0.0462133139F));
    m = multiplyAdd(m, y, broadcast(0.123225033F));
    m = multiplyAdd(m, y, broadcast(-0.206402615F));
    m = multiplyAdd(m, y, broadcast(0.121513948F));
    // a^2 in two parts, because its rounding would be an error of the whole exponential: the first
    // has half the digits, so that its square is exact.
    const Lanes head = (Lanes)((IntLanes)a & ~0xfff);
    const Lanes bell =
        vanishingExponential(-0.5F * head * head, (a - head) * (a + head) * broadcast(-0.5F));
    const Lanes tail = bell * m;
    const Lanes below = x < 0 ? tail : 1.0F - tail; // Phi(x)
    const Lanes density = bell * 0.39894228040143267794F; // 1 / sqrt(2 pi)
    return {x * below, multiplyAdd(x, density, below)};
}

template <LanePoint (*function)(Lanes)>
void activateAll(const TileActivation& tile)
{
    const std::int64_t vectors = (tile.units + laneCount - 1) / laneCount;
    IntLanes lane;
    for (int i = 0; i < laneCount; ++i)
        lane[i] = i;
    for (std::int64_t column = 0; column < tile.columns; ++column) {
        float* values = tile.values + column * tile.stride;
        float* slopes = tile.slopes == nullptr ? nullptr : tile.slopes + column * tile.stride;
        for (std::int64_t vector = 0; vector < vectors; ++vector) {
            const std::int64_t first = vector * laneCount;
            const Lanes before = load(values + first);
            LanePoint point = function(before);
            const auto left = static_cast<std::int32_t>(tile.units - first);
            if (left < laneCount) {
                point.value = lane < left ? point.value : before;
                point.slope = lane < left ? point.slope : Lanes{};
            }
            store(values + first, point.value);
            if (slopes != nullptr)
                store(slopes + first, point.slope);
        }
    }
}

void activate(LayerKind kind, const TileActivation& tile)
{
    switch (kind) {
    case LayerKind::LeakyRelu:
        return activateAll<leakyRelu>(tile);
    case LayerKind::Tanh:
        return activateAll<hyperbolicTangent>(tile);
    case LayerKind::Sigmoid:
        return activateAll<sigmoid>(tile);
    case LayerKind::Gelu:
        return activateAll<gelu>(tile);
    case LayerKind::Dense:
    case LayerKind::Relu: // part of the product
        return;
    }
}

} // namespace
} // namespace fullbatch
