// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/named_values.h"
#include "core/network/network_shape.h"

#include <array>

namespace fullbatch {

/// The activations that a hidden layer can have; the first is the default.
inline constexpr std::array<NamedValue<LayerKind>, 5> activationNames{{
    {LayerKind::Relu, "relu"},
    {LayerKind::LeakyRelu, "leaky-relu"},
    {LayerKind::Tanh, "tanh"},
    {LayerKind::Sigmoid, "sigmoid"},
    {LayerKind::Gelu, "gelu"},
}};

} // namespace fullbatch
