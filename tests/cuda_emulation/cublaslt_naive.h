// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/cublaslt_program.h"

namespace fullbatch::emulation {

/// Numbers as they are stored, decoded and encoded without any of CUDA's functions: a second
/// opinion on the emulation's arithmetic.
[[nodiscard]] std::vector<double> decoded(const std::vector<std::uint8_t>& bytes,
                                          cudaDataType type);
/// Values must be representable; tests make such values only.
[[nodiscard]] std::vector<std::uint8_t> encoded(const std::vector<double>& values,
                                                cudaDataType type);
/// To the nearest with so many bits after the leading one, ties to even.
[[nodiscard]] double roundedTo(double value, int bits);
/// Bits after the leading one that a type keeps.
[[nodiscard]] int mantissaBits(cudaDataType type);

/// What stands in memory before and after a product, one value an element, padding included.
struct ProductMemory
{
    std::vector<double> a;
    std::vector<double> b;
    std::vector<double> c;
    std::vector<double> d;
    std::vector<double> bias;
    std::vector<std::uint8_t> mask;
};

/// The product by the definition, one element after the other: D, and the bias gradient or the mask
/// where the epilogue writes one. `magnitude` receives the sum of the absolute products of each
/// element of D, which bounds the rounding of sums in another order.
[[nodiscard]] ProductMemory naiveProduct(const ProductCase& product, std::int64_t maskLeading,
                                         const ProductMemory& before,
                                         std::vector<double>& magnitude);

} // namespace fullbatch::emulation
