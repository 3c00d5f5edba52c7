// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engine/activation_functions.h"
#include "gpu/kernels.h"
#include "gpu/launch.h"
#include "gpu/stored_value.h"

namespace fullbatch {

namespace {

constexpr int blockThreads = 128;
constexpr int packsPerThread = 2; // two loads of each matrix in flight

template <typename Stored>
__global__ void reluKernel(ReluWork work)
{
    auto* activation = static_cast<Pack<Stored>*>(work.activation);
    const std::size_t packs =
        work.columns * static_cast<std::size_t>(work.stride) / Pack<Stored>::size;
    std::size_t pack = std::size_t{blockIdx.x} * blockThreads * packsPerThread + threadIdx.x;
    for (int i = 0; i < packsPerThread && pack < packs; ++i, pack += blockThreads) {
        Pack<Stored> values = activation[pack];
        for (Stored& value : values.values)
            value = loaded(value) < 0 ? stored<Stored>(0) : value;
        activation[pack] = values;
    }
}

template <typename Stored>
__global__ void maskKernel(ReluWork work)
{
    constexpr int size = Pack<Stored>::size;
    const auto* activation = static_cast<const Pack<Stored>*>(work.activation);
    auto* delta = static_cast<Pack<Stored>*>(work.delta);
    const auto packsPerColumn = static_cast<std::size_t>(work.stride / size);
    const std::size_t packs = work.columns * packsPerColumn;
    std::size_t pack = std::size_t{blockIdx.x} * blockThreads * packsPerThread + threadIdx.x;
    for (int i = 0; i < packsPerThread && pack < packs; ++i, pack += blockThreads) {
        const Pack<Stored> outputs = activation[pack];
        Pack<Stored> values = delta[pack];
        const int unit = static_cast<int>(pack % packsPerColumn) * size;
        for (int j = 0; j < size; ++j) {
            const bool passes = unit + j < work.units && loaded(outputs.values[j]) > 0;
            values.values[j] = passes ? values.values[j] : stored<Stored>(0);
        }
        delta[pack] = values;
    }
}

/// As many float32 numbers as a pack has, read and written 16 bytes at once.
template <typename Stored>
struct alignas(16) Floats
{
    float values[Pack<Stored>::size];
};

template <typename Stored>
__global__ void activationKernel(ActivationWork work)
{
    constexpr int size = Pack<Stored>::size;
    const auto* sums = reinterpret_cast<const Floats<Stored>*>(work.sums);
    auto* slopes = reinterpret_cast<Floats<Stored>*>(work.slopes);
    auto* activation = static_cast<Pack<Stored>*>(work.activation);
    const auto packsPerColumn = static_cast<std::size_t>(work.stride / size);
    const std::size_t pack = std::size_t{blockIdx.x} * blockThreads + threadIdx.x;
    if (pack >= work.columns * packsPerColumn)
        return;
    const Floats<Stored> inputs = sums[pack];
    const int unit = static_cast<int>(pack % packsPerColumn) * size;
    Pack<Stored> values;
    Floats<Stored> derivatives;
    for (int i = 0; i < size; ++i) {
        ActivationPoint<float> point{inputs.values[i], 0};
        if (unit + i < work.units)
            point = activationAt(work.kind, inputs.values[i]);
        values.values[i] = stored<Stored>(point.value);
        derivatives.values[i] = point.slope;
    }
    activation[pack] = values;
    slopes[pack] = derivatives;
}

template <typename Stored>
__global__ void slopeKernel(SlopeWork work)
{
    constexpr int size = Pack<Stored>::size;
    const std::size_t pack = std::size_t{blockIdx.x} * blockThreads + threadIdx.x;
    if (pack >= work.count / size)
        return;
    const Floats<Stored> derivatives = reinterpret_cast<const Floats<Stored>*>(work.sums)[pack];
    const Floats<Stored> slopes = reinterpret_cast<const Floats<Stored>*>(work.slopes)[pack];
    Pack<Stored> values;
    for (int i = 0; i < size; ++i) {
        const float slope = slopes.values[i];
        values.values[i] = stored<Stored>(slope == 0 ? 0.0F : slope * derivatives.values[i]);
    }
    static_cast<Pack<Stored>*>(work.delta)[pack] = values;
}

template <typename Stored>
unsigned int blocksFor(const ReluWork& work)
{
    const std::size_t packs =
        work.columns * static_cast<std::size_t>(work.stride) / Pack<Stored>::size;
    return blockCount(packs, std::size_t{blockThreads} * packsPerThread);
}

} // namespace

cudaError_t launchRelu(cudaStream_t stream, StoredType type, const ReluWork& work)
{
    return withStoredType(type, [&](auto zero) {
        using Stored = decltype(zero);
        return launch(stream, blocksFor<Stored>(work), blockThreads, reluKernel<Stored>, work);
    });
}

cudaError_t launchMask(cudaStream_t stream, StoredType type, const ReluWork& work)
{
    return withStoredType(type, [&](auto zero) {
        using Stored = decltype(zero);
        return launch(stream, blocksFor<Stored>(work), blockThreads, maskKernel<Stored>, work);
    });
}

cudaError_t launchActivation(cudaStream_t stream, StoredType type, const ActivationWork& work)
{
    return withStoredType(type, [&](auto zero) {
        using Stored = decltype(zero);
        const std::size_t packs =
            work.columns * static_cast<std::size_t>(work.stride) / Pack<Stored>::size;
        return launch(stream, blockCount(packs, blockThreads), blockThreads,
                      activationKernel<Stored>, work);
    });
}

cudaError_t launchSlope(cudaStream_t stream, StoredType type, const SlopeWork& work)
{
    return withStoredType(type, [&](auto zero) {
        using Stored = decltype(zero);
        return launch(stream, blockCount(work.count / Pack<Stored>::size, blockThreads),
                      blockThreads, slopeKernel<Stored>, work);
    });
}

} // namespace fullbatch
