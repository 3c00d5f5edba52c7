// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cuda_emulation/kernel_grid.h"

#include "tests/cuda_emulation/block_threads.h"
#include "tests/cuda_emulation/machine.h"

#include <algorithm>
#include <cstring>
#include <numeric>

uint3 threadIdx{};
uint3 blockIdx{};
dim3 blockDim;
dim3 gridDim;

// The linker's names for the bounds of the section in which __shared__ puts its arrays.
// NOLINTBEGIN(readability-identifier-naming)
extern std::byte __start_fullbatch_shared[] __attribute__((weak));
extern std::byte __stop_fullbatch_shared[] __attribute__((weak));
// NOLINTEND(readability-identifier-naming)

namespace fullbatch::emulation {
namespace {

struct Grids
{
    ThreadOrder order = ThreadOrder::Forward;
    std::mt19937_64 random{1};
    FiberStacks stacks;
};

/// Used under the machine's lock.
Grids& grids()
{
    static Grids& it = *new Grids;
    return it;
}

std::vector<std::uint64_t> blockOrder(std::uint64_t count)
{
    std::vector<std::uint64_t> order(count);
    std::iota(order.begin(), order.end(), std::uint64_t(0));
    if (grids().order == ThreadOrder::Reverse)
        std::reverse(order.begin(), order.end());
    else if (grids().order == ThreadOrder::Random)
        std::shuffle(order.begin(), order.end(), grids().random);
    return order;
}

void poisonSharedMemory()
{
    if (__start_fullbatch_shared != nullptr)
        std::memset(__start_fullbatch_shared, 0xff,
                    static_cast<std::size_t>(__stop_fullbatch_shared - __start_fullbatch_shared));
}

} // namespace

void runGrid(dim3 grid, dim3 block, const std::function<void()>& body)
{
    gridDim = grid;
    blockDim = block;
    BlockThreads threads(block, body, grids().order, grids().random, grids().stacks);
    for (const std::uint64_t index : blockOrder(std::uint64_t(grid.x) * grid.y * grid.z)) {
        blockIdx = {static_cast<unsigned>(index % grid.x),
                    static_cast<unsigned>(index / grid.x % grid.y),
                    static_cast<unsigned>(index / grid.x / grid.y)};
        poisonSharedMemory();
        threads.run();
    }
}

void setThreadOrder(ThreadOrder order, std::uint64_t seed)
{
    const std::lock_guard lock(machine().mutex);
    grids().order = order;
    grids().random.seed(seed);
}

} // namespace fullbatch::emulation
