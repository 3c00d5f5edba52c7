// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

#include <string>
#include <vector>

namespace fullbatch {

/// What a captured graph consists of, in the order in which its nodes were made: names of kernels,
/// and for other nodes what they are, in round brackets. Asks the driver by function pointers, so
/// nothing links to it. Throws std::runtime_error where the driver does not answer.
[[nodiscard]] std::vector<std::string> nodeNames(cudaGraph_t graph);

} // namespace fullbatch
