// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/initialisation.h"

#include "core/network/torch_normal.h"

#include <cmath>
#include <random>

namespace fullbatch {

namespace {

/// PyTorch's uniform_(-bound, bound) for float32: 24 bits of one draw, one fused multiply-add.
void fillUniform(std::span<float> values, double bound, std::mt19937& generator)
{
    const auto low = static_cast<float>(-bound);
    const auto high = static_cast<float>(bound);
    for (float& value : values) {
        const auto bits = static_cast<std::uint32_t>(generator()) & 0xffffffU;
        value = std::fma(static_cast<float>(bits) * 0x1p-24F, high - low, low);
    }
}

// Bounds and deviations in the order in which PyTorch's Python code computes them, which fixes the
// last bit.

double heDeviation(double gain, std::int64_t fanIn)
{
    return gain / std::sqrt(static_cast<double>(fanIn));
}

double xavierDeviation(std::int64_t fanIn, std::int64_t fanOut)
{
    return 1.0 * std::sqrt(2.0 / static_cast<double>(fanIn + fanOut));
}

double uniformBound(double deviation)
{
    return std::sqrt(3.0) * deviation;
}

const double heGain = std::sqrt(2.0);

/// What nn.Linear draws when it is constructed.
void drawDefaults(Parameters& parameters, std::mt19937& generator)
{
    const double gain = std::sqrt(2.0 / (1 + std::sqrt(5.0) * std::sqrt(5.0)));
    std::int64_t fanIn = 1;
    for (const TensorInfo& tensor : parameters.tensors()) {
        const bool weight = tensor.kind == TensorKind::Weight;
        fanIn = weight ? tensor.columns : fanIn;
        const double bound = weight ? uniformBound(heDeviation(gain, fanIn))
                                    : 1 / std::sqrt(static_cast<double>(fanIn));
        fillUniform(parameters.values().subspan(tensor.offset, tensor.size()), bound, generator);
    }
}

} // namespace

Parameters initialParameters(const NetworkShape& shape, std::uint64_t seed, Initialisation rule)
{
    Parameters parameters(shape);
    std::mt19937 generator(static_cast<std::uint32_t>(seed & 0xffffffffU));
    if (rule == Initialisation::PyTorchDefault) {
        drawDefaults(parameters, generator);
        return parameters;
    }
    generator.discard(parameters.values().size()); // one number each
    TorchNormal normal;
    for (const TensorInfo& tensor : parameters.tensors()) {
        if (tensor.kind != TensorKind::Weight)
            continue;
        const std::span<float> values = parameters.values().subspan(tensor.offset, tensor.size());
        const double he = heDeviation(heGain, tensor.columns);
        const double xavier = xavierDeviation(tensor.columns, tensor.rows);
        switch (rule) {
        case Initialisation::HeUniform:
            fillUniform(values, uniformBound(he), generator);
            break;
        case Initialisation::HeNormal:
            normal.fill(values, he, generator);
            break;
        case Initialisation::XavierUniform:
            fillUniform(values, uniformBound(xavier), generator);
            break;
        case Initialisation::XavierNormal:
            normal.fill(values, xavier, generator);
            break;
        case Initialisation::PyTorchDefault:
        case Initialisation::Zero:
            break;
        }
    }
    return parameters;
}

} // namespace fullbatch
