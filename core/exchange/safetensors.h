// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/parameters.h"

#include <iosfwd>

namespace fullbatch {

/// The safetensors format (huggingface/safetensors): 8 bytes header length, a JSON header padded
/// with spaces to a multiple of 8, the float32 values. Names and shapes as nn.Sequential's
/// state_dict: "0.weight" (outputs x inputs), "0.bias", "2.weight", ...
void writeSafetensors(std::ostream& out, const Parameters& parameters);

} // namespace fullbatch
