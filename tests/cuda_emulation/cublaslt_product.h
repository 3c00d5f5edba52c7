// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/cuda_emulation/cublaslt_control.h"
#include "tests/cuda_emulation/cublaslt_problem.h"

namespace fullbatch::emulation::cublaslt {

/// A checked call. Pointers are to device memory, which must be open while the product is computed.
struct MatmulCall
{
    MatmulProblem problem;
    float alpha = 1;
    float beta = 0;
    const void* a = nullptr;
    const void* b = nullptr;
    const void* c = nullptr; ///< not read when beta is 0
    void* d = nullptr;
    ReluOfNan reluOfNan = ReluOfNan::Zero;
};

/// Computes D, and what else the epilogue writes, one matrix of the batch after the other.
///
/// Sums are in double, over all of the depth in order. Inputs are used as they are stored; with
/// CUBLAS_COMPUTE_32F_FAST_TF32 they are first rounded to 10 bits of mantissa, to the nearest, ties
/// to even (a device may also cut them off). alpha, beta, bias, mask and ReLU are applied in
/// double; the result is rounded to float32, as the accumulators of a device are, and then to D's
/// type. The ReLU mask has the bit row + column x leading dimension set where the value before ReLU
/// was above zero, lowest bit of a byte first; the real library documents no order.
void compute(const MatmulCall& call);

} // namespace fullbatch::emulation::cublaslt
