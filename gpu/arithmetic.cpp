// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/arithmetic.h"

#include <bit>

namespace fullbatch {

Arithmetic arithmeticOf(Precision precision)
{
    Arithmetic arithmetic;
    arithmetic.precision = precision;
    switch (precision) {
    case Precision::Tf32:
        arithmetic.compute = CUBLAS_COMPUTE_32F_FAST_TF32;
        break;
    case Precision::Bf16:
        arithmetic.stored = StoredType::BFloat16;
        arithmetic.bytes = 2;
        arithmetic.type = CUDA_R_16BF;
        break;
    case Precision::Fp16:
        arithmetic.stored = StoredType::Float16;
        arithmetic.bytes = 2;
        arithmetic.type = CUDA_R_16F;
        arithmetic.scaled = true;
        break;
    case Precision::Fp32:
    case Precision::Fp64:
        break;
    }
    return arithmetic;
}

MeanShares meanShares(const Arithmetic& arithmetic, std::size_t rows)
{
    const auto count = static_cast<double>(rows);
    if (!arithmetic.scaled)
        return {1, static_cast<float>(1 / count)};
    const auto power = static_cast<double>(std::bit_ceil(rows));
    return {static_cast<float>(1 / power), static_cast<float>(power / count)};
}

} // namespace fullbatch
