// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/named_values.h"
#include "core/network/parameters.h"

#include <array>
#include <cstdint>

namespace fullbatch {

/// How start weights are drawn. With n inputs and m outputs of a layer:
///   HeUniform       uniform within sqrt(6 / n)          (K. He et al. 2015)
///   HeNormal        normal with deviation sqrt(2 / n)
///   XavierUniform   uniform within sqrt(6 / (n + m))    (X. Glorot and Y. Bengio 2010)
///   XavierNormal    normal with deviation sqrt(2 / (n + m))
///   PyTorchDefault  weights and biases uniform within sqrt(1 / n), what nn.Linear does by itself
///   Zero            nothing tells the units of a layer apart, so they stay equal
/// Biases are zero but for PyTorchDefault.
enum class Initialisation {
    HeUniform,
    HeNormal,
    XavierUniform,
    XavierNormal,
    PyTorchDefault,
    Zero
};

/// The first is the default.
inline constexpr std::array<NamedValue<Initialisation>, 6> initialisationNames{{
    {Initialisation::HeUniform, "he-uniform"},
    {Initialisation::HeNormal, "he-normal"},
    {Initialisation::XavierUniform, "xavier-uniform"},
    {Initialisation::XavierNormal, "xavier-normal"},
    {Initialisation::PyTorchDefault, "pytorch-default"},
    {Initialisation::Zero, "zero"},
}};

/// Bit for bit what PyTorch's CPU generator gives after torch.manual_seed(seed), the construction
/// of an nn.Linear for each dense layer in order, and then for each of them kaiming_uniform_,
/// kaiming_normal_, xavier_uniform_ or xavier_normal_ of the weight and zeros for the bias: the
/// draws of nn.Linear's own initialisation are made first and, unless they are what is wanted,
/// thrown away. As in PyTorch, only the seed's low 32 bits count.
[[nodiscard]] Parameters initialParameters(const NetworkShape& shape, std::uint64_t seed,
                                           Initialisation rule = Initialisation::HeUniform);

} // namespace fullbatch
