// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels.h"
#include "gpu/launch.h"
#include "gpu/stored_value.h"

namespace fullbatch {

namespace {

constexpr int blockThreads = 128;
constexpr int packsPerThread = 2; // two loads of each matrix in flight

template <typename Stored>
__global__ void reluKernel(ActivationWork work)
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
__global__ void maskKernel(ActivationWork work)
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

template <typename Stored>
unsigned int blocksFor(const ActivationWork& work)
{
    const std::size_t packs =
        work.columns * static_cast<std::size_t>(work.stride) / Pack<Stored>::size;
    return blockCount(packs, std::size_t{blockThreads} * packsPerThread);
}

} // namespace

cudaError_t launchRelu(cudaStream_t stream, StoredType type, const ActivationWork& work)
{
    return withStoredType(type, [&](auto zero) {
        using Stored = decltype(zero);
        return launch(stream, blocksFor<Stored>(work), blockThreads, reluKernel<Stored>, work);
    });
}

cudaError_t launchMask(cudaStream_t stream, StoredType type, const ActivationWork& work)
{
    return withStoredType(type, [&](auto zero) {
        using Stored = decltype(zero);
        return launch(stream, blocksFor<Stored>(work), blockThreads, maskKernel<Stored>, work);
    });
}

} // namespace fullbatch
