// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/parameters.h"

#include <cstdint>

namespace fullbatch {

/// He-uniform weights (K. He et al. 2015; bound sqrt(6 / fan-in)) and zero biases, bit for bit what
/// PyTorch's CPU generator gives after torch.manual_seed(seed), nn.Sequential(nn.Linear, ...) and
/// kaiming_uniform_(weight), bias = 0 for each nn.Linear in order: the draws of nn.Linear's own
/// default initialisation are made and thrown away first. As in PyTorch, only the seed's low 32
/// bits count.
[[nodiscard]] Parameters initialParameters(const NetworkShape& shape, std::uint64_t seed);

} // namespace fullbatch
