// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/arithmetic.h"

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

} // namespace fullbatch
