// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

namespace fullbatch {

/// What activations, deltas and the products' weights are stored as.
enum class StoredType { Float32, Float16, BFloat16 };

/// A hidden layer's matrices, stride x columns, columns one after another.
struct ActivationWork
{
    void* activation = nullptr;
    void* delta = nullptr; ///< not for launchRelu
    std::size_t columns = 0; ///< padding included
    int stride = 0;
    int units = 0; ///< without the ones unit and the padding
};

} // namespace fullbatch
