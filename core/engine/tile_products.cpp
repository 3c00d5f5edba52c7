// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/tile_products.h"

#include <Eigen/Core>

#include <algorithm>

namespace fullbatch {

namespace {

using Eigen::Index;
using Matrix = Eigen::Map<Eigen::MatrixXf>;
using ConstMatrix = Eigen::Map<const Eigen::MatrixXf>;
using RowMajor = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Weight = Eigen::Map<const RowMajor>;

/// Eigen copies the operands of a product into buffers, on the stack up to 128 KiB each and else
/// on the heap. Products of parts of this size (64 KiB) stay on the stack.
constexpr Index part = 128;

/// Calls work(begin, count) for the parts of 0 .. size-1 in order.
template <typename Work>
void forParts(Index size, const Work& work)
{
    for (Index begin = 0; begin < size; begin += part)
        work(begin, std::min(part, size - begin));
}

} // namespace

void denseForward(const TileSizes& sizes, const float* weight, const float* bias,
                  const float* inputs, float* outputs)
{
    const Weight w(weight, sizes.outputs, sizes.inputs);
    const ConstMatrix x(inputs, sizes.inputs, sizes.rows);
    Matrix y(outputs, sizes.outputs, sizes.rows);
    y.colwise() = Eigen::Map<const Eigen::VectorXf>(bias, sizes.outputs);
    forParts(sizes.outputs, [&](Index output, Index outputCount) {
        forParts(sizes.inputs, [&](Index input, Index inputCount) {
            y.middleRows(output, outputCount).noalias() +=
                w.block(output, input, outputCount, inputCount) * x.middleRows(input, inputCount);
        });
    });
}

void denseInputDelta(const TileSizes& sizes, const float* weight, const float* outputDelta,
                     float* inputDelta)
{
    const Weight w(weight, sizes.outputs, sizes.inputs);
    const ConstMatrix dy(outputDelta, sizes.outputs, sizes.rows);
    Matrix dx(inputDelta, sizes.inputs, sizes.rows);
    dx.setZero();
    forParts(sizes.inputs, [&](Index input, Index inputCount) {
        forParts(sizes.outputs, [&](Index output, Index outputCount) {
            dx.middleRows(input, inputCount).noalias() +=
                w.block(output, input, outputCount, inputCount).transpose()
                * dy.middleRows(output, outputCount);
        });
    });
}

void denseGradient(const TileSizes& sizes, const float* outputDelta, const float* inputs,
                   float* weightGradient, float* biasGradient)
{
    const ConstMatrix dy(outputDelta, sizes.outputs, sizes.rows);
    const ConstMatrix x(inputs, sizes.inputs, sizes.rows);
    Eigen::Map<RowMajor> dw(weightGradient, sizes.outputs, sizes.inputs);
    forParts(sizes.outputs, [&](Index output, Index outputCount) {
        forParts(sizes.inputs, [&](Index input, Index inputCount) {
            dw.block(output, input, outputCount, inputCount).noalias() +=
                dy.middleRows(output, outputCount) * x.middleRows(input, inputCount).transpose();
        });
    });
    Eigen::Map<Eigen::VectorXf> db(biasGradient, sizes.outputs);
    for (Index row = 0; row < sizes.rows; ++row)
        db += dy.col(row);
}

std::string_view tileProductsName()
{
    return "eigen";
}

} // namespace fullbatch
