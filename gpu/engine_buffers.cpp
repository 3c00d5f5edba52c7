// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/engine_buffers.h"

#include "gpu/cuda_error.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace fullbatch {

namespace {

constexpr double megabyte = 1e6;

std::string megabytes(double bytes)
{
    std::array<char, 32> text{};
    (void)std::snprintf(text.data(), text.size(), "%.0f MB", bytes / megabyte);
    return text.data();
}

void checkFree(double needed)
{
    std::size_t free = 0;
    std::size_t total = 0;
    check(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
    if (needed <= static_cast<double>(free))
        return;
    throw GpuFailure("The network and its data need " + megabytes(needed)
                         + " of GPU memory, but only " + megabytes(static_cast<double>(free))
                         + " of " + megabytes(static_cast<double>(total)) + " are free.",
                     remedy(cudaErrorMemoryAllocation));
}

} // namespace

std::size_t positionNumbers(const PaddedNetwork& network, bool momentum)
{
    return network.size() * (momentum ? 4 : 2);
}

std::vector<UpdateBlock> updateBlocks(const PaddedNetwork& network)
{
    std::vector<UpdateBlock> blocks;
    for (const PaddedLayer& layer : network.layers()) {
        const std::size_t end = layer.offset + layer.size;
        for (std::size_t first = layer.offset; first < end; first += updateWeightsPerBlock)
            blocks.push_back(
                {first, std::min(first + updateWeightsPerBlock, end), layer.offset, layer.size});
    }
    return blocks;
}

EngineBuffers::EngineBuffers(const PaddedNetwork& network, const Arithmetic& arithmetic,
                             const RowChunks& whole, const Dataset& data, bool momentum,
                             std::size_t workspaceBytes)
{
    const auto features = static_cast<std::size_t>(data.features());
    const std::size_t columns = whole.columns();
    const std::size_t weights = network.size();
    const std::size_t stored = arithmetic.bytes;
    const auto inputStride = static_cast<std::size_t>(network.layers().front().inputStride);
    const auto logitStride = static_cast<std::size_t>(network.layers().back().outputStride);
    const std::size_t copyBytes = arithmetic.copies() ? weights * stored : 0;
    updateBlockCount = (weights + updateWeightsPerBlock - 1) / updateWeightsPerBlock;

    const std::pair<DeviceMemory*, std::size_t> sizes[] = {
        {&trainInputs, features * data.train.rows() * sizeof(float)},
        {&trainLabels, data.train.rows() * sizeof(std::int32_t)},
        {&testInputs, features * data.test.rows() * sizeof(float)},
        {&testLabels, data.test.rows() * sizeof(std::int32_t)},
        {&otherInputs, features * columns * sizeof(float)},
        {&allRows, inputStride * columns * stored},
        {&gathered, inputStride * columns * stored},
        {&order, columns * sizeof(std::uint32_t)},
        {&hidden, network.hiddenStrides() * columns * stored},
        {&hiddenDelta, network.hiddenStrides() * columns * stored},
        {&logits, logitStride * columns * sizeof(float)},
        {&logitsDelta, logitStride * columns * stored},
        {&partials, whole.chunks * weights * sizeof(float)},
        {&lossSums, (columns + lossRowsPerBlock - 1) / lossRowsPerBlock * sizeof(BlockLoss)},
        {&position, positionNumbers(network, momentum) * sizeof(float) + sizeof(DescentState)},
        {&copies, copyBytes},
        {&gradient, weights * sizeof(float)},
        {&otherWeights, weights * sizeof(float)},
        {&otherCopies, copyBytes},
        {&otherGradient, weights * sizeof(float)},
        {&otherState, sizeof(DescentState)},
        {&trainable, weights},
        {&updateBlocks, updateBlockCount * sizeof(UpdateBlock)},
        {&blockSquares, updateBlockCount * sizeof(double)},
        {&optimiser, sizeof(Optimiser)},
        {&rates, rateSlots * sizeof(float)},
        {&records, recordSlots * sizeof(EpochRecord)},
    };
    double needed = static_cast<double>(workspaceBytes);
    for (const auto& [memory, bytes] : sizes)
        needed += static_cast<double>(bytes);
    checkFree(needed);
    for (const auto& [memory, bytes] : sizes)
        *memory = DeviceMemory(bytes);
}

} // namespace fullbatch
