// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/initialisation.h"

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

/// In the order in which PyTorch's Python code computes it, which fixes the last bit.
double kaimingUniformBound(std::int64_t fanIn)
{
    const double standardDeviation = std::sqrt(2.0) / std::sqrt(static_cast<double>(fanIn));
    return std::sqrt(3.0) * standardDeviation;
}

} // namespace

Parameters initialParameters(const NetworkShape& shape, std::uint64_t seed)
{
    Parameters parameters(shape);
    std::mt19937 generator(static_cast<std::uint32_t>(seed & 0xffffffffU));
    // Every nn.Linear draws one number for each weight and bias when it is constructed.
    generator.discard(parameters.values().size());
    for (const TensorInfo& tensor : parameters.tensors()) {
        if (tensor.kind == TensorKind::Weight) {
            fillUniform(parameters.values().subspan(tensor.offset, tensor.size()),
                        kaimingUniformBound(tensor.columns), generator);
        }
    }
    return parameters;
}

} // namespace fullbatch
