// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/kernels.h"
#include "gpu/launch.h"
#include "gpu/stored_value.h"

namespace fullbatch {

namespace {

constexpr unsigned int blockThreads = 128;

template <typename Stored>
__global__ void gatherKernel(GatherWork work)
{
    constexpr int size = Pack<Stored>::size;
    const auto packsPerColumn = static_cast<std::size_t>(work.stride / size);
    const std::size_t pack = std::size_t{blockIdx.x} * blockThreads + threadIdx.x;
    const std::size_t column = pack / packsPerColumn;
    if (column >= work.columns)
        return;
    const bool filled = column < work.rows.count;
    std::size_t row = work.rows.first + column;
    if (filled && work.rows.order != nullptr)
        row = work.rows.order[row];
    const float* inputs = work.inputs + row * static_cast<std::size_t>(work.features);
    const int unit = static_cast<int>(pack % packsPerColumn) * size;
    Pack<Stored> values;
    for (int i = 0; i < size; ++i) {
        float value = filled && unit + i == work.features ? 1.0F : 0.0F; // the ones unit
        if (filled && unit + i < work.features)
            value = inputs[unit + i];
        values.values[i] = stored<Stored>(value);
    }
    static_cast<Pack<Stored>*>(work.to)[pack] = values;
}

template <typename Stored>
__global__ void convertKernel(ConvertWork work)
{
    const std::size_t i = std::size_t{blockIdx.x} * blockThreads + threadIdx.x;
    if (i < work.count)
        static_cast<Stored*>(work.to)[i] = stored<Stored>(work.from[i]);
}

} // namespace

cudaError_t launchGather(cudaStream_t stream, StoredType type, const GatherWork& work)
{
    return withStoredType(type, [&](auto zero) {
        using Stored = decltype(zero);
        const auto packsPerColumn = static_cast<std::size_t>(work.stride / Pack<Stored>::size);
        return launch(stream, blockCount(work.columns * packsPerColumn, blockThreads), blockThreads,
                      gatherKernel<Stored>, work);
    });
}

cudaError_t launchConvert(cudaStream_t stream, StoredType type, const ConvertWork& work)
{
    return withStoredType(type, [&](auto zero) {
        return launch(stream, blockCount(work.count, blockThreads), blockThreads,
                      convertKernel<decltype(zero)>, work);
    });
}

} // namespace fullbatch
