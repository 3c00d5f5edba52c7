// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/cpu/rounding_pass.h"

#include "core/engine/rounding.h"

namespace fullbatch {

namespace {

/// One loop a format: with a constant precision it is made of vector instructions.
template <Precision precision>
void roundAll(float factor, const float* from, float* to, std::size_t count)
{
    for (std::size_t i = 0; i < count; ++i)
        to[i] = roundedFor(precision, factor * from[i]);
}

} // namespace

void roundValues(Precision precision, float factor, const float* from, float* to, std::size_t count)
{
    switch (precision) {
    case Precision::Tf32:
        return roundAll<Precision::Tf32>(factor, from, to, count);
    case Precision::Bf16:
        return roundAll<Precision::Bf16>(factor, from, to, count);
    case Precision::Fp16:
        return roundAll<Precision::Fp16>(factor, from, to, count);
    case Precision::Fp32:
    case Precision::Fp64:
        break;
    }
}

} // namespace fullbatch
