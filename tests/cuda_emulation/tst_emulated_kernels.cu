// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels: threads, shared memory, barriers, shuffles, launch configurations.

#include "tests/cuda_emulation/rule_checks.h"

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace fullbatch::emulation {
namespace {

constexpr unsigned full = 0xffffffffU;

__global__ void whoAmI(float* to)
{
    const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned place = block * blockDim.x * blockDim.y * blockDim.z + thread;
    to[place] = static_cast<float>(place);
}

/// The neighbour's value, with or without the barrier that it needs.
__global__ void shiftThroughShared(float* values, int step, bool wait)
{
    __shared__ float shared[64];
    shared[threadIdx.x] = values[threadIdx.x];
    if (wait)
        __syncthreads();
    values[threadIdx.x] = shared[(static_cast<int>(threadIdx.x) + step + 64) % 64];
}

__global__ void readShared(float* to)
{
    __shared__ float shared[32];
    *to = shared[blockIdx.x];
    shared[blockIdx.x + 1] = 1;
}

__global__ void sumBlock(const float* from, float* to, bool secondBarrier)
{
    __shared__ float sums[8];
    float value = from[blockIdx.x * blockDim.x + threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2)
        value += __shfl_down_sync(full, value, static_cast<unsigned>(distance));
    for (int round = 0; round < 2; ++round) {
        if (threadIdx.x % 32 == 0)
            sums[threadIdx.x / 32] = value + static_cast<float>(round);
        __syncthreads();
        float sum = 0;
        for (float each : sums)
            sum += each;
        if (threadIdx.x == 0 || threadIdx.x == 255)
            to[blockIdx.x * 4 + static_cast<unsigned>(round) * 2 + threadIdx.x / 255] = sum;
        if (secondBarrier)
            __syncthreads();
    }
}

__global__ void endBeforeBarrier(unsigned who)
{
    if (threadIdx.x == who)
        return;
    __syncthreads();
}

__global__ void waitElsewhere()
{
    if (threadIdx.x < 40)
        __syncthreads();
    else
        __syncthreads();
}

__global__ void shuffleWithout(float* to, unsigned who)
{
    if (threadIdx.x == who)
        return;
    *to = __shfl_xor_sync(full, 1.0F, 1);
}

__global__ void shuffleBesideBarrier(float* to)
{
    if (threadIdx.x % 2 == 0)
        __syncthreads();
    else
        *to = __shfl_xor_sync(full, 1.0F, 1);
    __syncthreads();
}

__global__ void shuffleOutsideMask(float* to)
{
    if (threadIdx.x < 16)
        *to = __shfl_sync(0xffffU, 1.0F, 20);
}

__global__ void shuffleHalf(float* to)
{
    const auto lane = static_cast<float>(threadIdx.x);
    if (threadIdx.x < 16)
        to[threadIdx.x] = __shfl_xor_sync(0xffffU, lane, 1);
    else
        to[threadIdx.x] = __shfl_up_sync(0xffff0000U, lane, 1, 16);
    __syncwarp();
}

__global__ void shuffles(float* to)
{
    const auto lane = static_cast<int>(threadIdx.x);
    to[lane] = static_cast<float>(__shfl_sync(full, lane, lane + 3));
    to[32 + lane] = static_cast<float>(__shfl_up_sync(full, lane, 2));
    to[64 + lane] = static_cast<float>(__shfl_down_sync(full, lane, 2, 8));
    to[96 + lane] = static_cast<float>(__shfl_xor_sync(full, static_cast<double>(lane), 5));
}

__global__ void lastBlockSums(const float* from, float* partial, unsigned* ticket, float* to)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = from[blockIdx.x] * 2;
        __threadfence();
        last = atomicAdd(ticket, 1U) == gridDim.x - 1;
    }
    __syncthreads();
    if (!last || threadIdx.x != 0)
        return;
    *to = 0;
    for (unsigned i = 0; i < gridDim.x; ++i)
        *to += partial[i];
    *ticket = 0;
}

__global__ void roundings(float* to)
{
    to[0] = __half2float(__float2half_rn(65504.0F));
    to[1] = __half2float(__float2half_rn(1.0F + 0x1p-11F));
    to[2] = __bfloat162float(__float2bfloat16_rn(1.0F + 0x1p-8F));
    to[3] = isfinite(__half2float(__float2half_rn(1e6F))) ? 1.0F : 0.0F;
    to[4] = __uint_as_float(__float_as_uint(-2.5F));
    to[5] = __fadd_rn(0x1p24F, 1.0F);
}

__global__ void throwing()
{
    throw std::runtime_error("thrown by thread 0");
}

__global__ void recordOrder(float* to, int* next)
{
    to[(*next)++] = static_cast<float>(threadIdx.x);
}

void expectFailedLaunch(SmallProgram& program, const std::string& rule)
{
    expectError(program.wait(), cudaErrorLaunchFailure, "wait");
    expectBrokenRule(rule);
}

void threadsKnowTheirPlace()
{
    SmallProgram program;
    float* const to = program.floats(2 * 3 * 4 * 5 * 6 * 7);
    cudaLaunchConfig_t config{};
    config.gridDim = dim3(2, 3, 4);
    config.blockDim = dim3(5, 6, 7);
    config.stream = program.stream;
    for (const auto order : {ThreadOrder::Forward, ThreadOrder::Reverse, ThreadOrder::Random}) {
        setThreadOrder(order);
        expectSuccess(cudaMemsetAsync(to, 0, 5040 * sizeof(float), program.stream), "fill");
        expectSuccess(cudaLaunchKernelEx(&config, whoAmI, to), "launch");
        std::vector<float> expected(5040);
        std::iota(expected.begin(), expected.end(), 0.0F);
        expect(program.read(to, 5040) == expected, "threads or blocks are missing");
    }
}

std::vector<float> shifted(int step, bool wait)
{
    SmallProgram program;
    float* const values = program.floats(64);
    std::vector<float> lanes(64);
    std::iota(lanes.begin(), lanes.end(), 0.0F);
    program.fill(values, lanes);
    expectSuccess(program.launch(1, 64, shiftThroughShared, values, step, wait), "launch");
    return program.read(values, 64);
}

void missingBarrier()
{
    const auto anyNan = [](const std::vector<float>& values) {
        return std::any_of(values.begin(), values.end(),
                           [](float each) { return std::isnan(each); });
    };
    for (const auto order : {ThreadOrder::Forward, ThreadOrder::Reverse, ThreadOrder::Random}) {
        setThreadOrder(order);
        const auto right = shifted(1, true);
        expect(right[0] == 1 && right[62] == 63 && right[63] == 0, "the barrier did not work");
    }
    setThreadOrder(ThreadOrder::Forward);
    expect(anyNan(shifted(1, false)), "forward: a thread read what a later one writes");
    setThreadOrder(ThreadOrder::Reverse);
    expect(anyNan(shifted(-1, false)), "reverse: a thread read what an earlier one writes");
    setThreadOrder(ThreadOrder::Random);
    expect(anyNan(shifted(1, false)) && anyNan(shifted(-1, false)), "random: no poison");
}

void sharedMemoryIsPoison()
{
    SmallProgram program;
    float* const to = program.floats(1);
    expectSuccess(program.launch(2, 1, readShared, to), "launch");
    expect(std::isnan(program.read(to, 1)[0]), "a block saw what an earlier one had left");
}

bool sumsAreRight(bool secondBarrier)
{
    SmallProgram program;
    float* const from = program.floats(512);
    float* const to = program.floats(8);
    program.fill(from, std::vector<float>(512, 1));
    expectSuccess(program.launch(2, 256, sumBlock, from, to, secondBarrier), "launch");
    const auto sums = program.read(to, 8);
    return sums == std::vector<float>{256, 256, 264, 264, 256, 256, 264, 264};
}

void missingSecondBarrier()
{
    bool caught = false;
    for (const auto order : {ThreadOrder::Forward, ThreadOrder::Reverse, ThreadOrder::Random}) {
        setThreadOrder(order);
        expect(sumsAreRight(true), "sums with both barriers are wrong");
        caught = caught || !sumsAreRight(false);
    }
    expect(caught, "no order showed that shared memory was used again too early");
}

void divergentBarrier()
{
    for (const auto order : {ThreadOrder::Forward, ThreadOrder::Reverse, ThreadOrder::Random}) {
        for (const unsigned who : {0U, 40U, 63U}) {
            reset();
            setThreadOrder(order);
            SmallProgram program;
            expectSuccess(program.launch(3, 64, endBeforeBarrier, who), "launch");
            expectFailedLaunch(program, "thread (" + std::to_string(who) + ", 0, 0) has ended");
        }
    }
    reset();
    SmallProgram program;
    expectSuccess(program.launch(3, 64, endBeforeBarrier, 64U), "a right launch");
    expectSuccess(program.wait(), "wait");
    expectSuccess(program.launch(1, 64, waitElsewhere), "launch");
    expectFailedLaunch(program, "waits in __syncthreads at tst_emulated_kernels.cu:");
}

void missingLane()
{
    {
        SmallProgram program;
        float* const to = program.floats(1);
        expectSuccess(program.launch(1, 64, shuffleWithout, to, 64U), "a right launch");
        expectSuccess(program.wait(), "wait");
        expectSuccess(program.launch(1, 64, shuffleWithout, to, 37U), "launch");
        expectFailedLaunch(program,
                           "waits for lanes that do not come: thread (37, 0, 0) has ended");
    }
    const auto failing = [](void (*kernel)(float*), unsigned threads, const std::string& rule) {
        reset();
        SmallProgram program;
        float* const to = program.floats(128);
        expectSuccess(program.launch(1, threads, kernel, to), "launch");
        expectFailedLaunch(program, rule);
    };
    failing(shuffleBesideBarrier, 32, "waits in __syncthreads at");
    failing(shuffleOutsideMask, 32, "reads from lane 20, which its mask leaves out");
    failing(shuffles, 20, "the block has no lane 20 in its last warp");
}

void shufflesMoveValues()
{
    for (const auto order : {ThreadOrder::Forward, ThreadOrder::Reverse, ThreadOrder::Random}) {
        setThreadOrder(order);
        SmallProgram program;
        float* const to = program.floats(128);
        expectSuccess(program.launch(1, 32, shuffles, to), "launch");
        const auto values = program.read(to, 128);
        for (unsigned lane = 0; lane < 32; ++lane) {
            const auto at = [&](unsigned row) {
                return static_cast<unsigned>(values[row * 32 + lane]);
            };
            expect(at(0) == (lane + 3) % 32, "__shfl_sync");
            expect(at(1) == (lane < 2 ? lane : lane - 2), "__shfl_up_sync");
            expect(at(2) == (lane % 8 > 5 ? lane : lane + 2), "__shfl_down_sync");
            expect(at(3) == (lane ^ 5U), "__shfl_xor_sync");
        }
        expectSuccess(program.launch(1, 32, shuffleHalf, to), "launch");
        const auto halves = program.read(to, 32);
        expect(halves[0] == 1 && halves[15] == 14 && halves[16] == 16 && halves[31] == 30,
               "two halves of a warp");
    }
}

void lastBlock()
{
    SmallProgram program;
    float* const from = program.floats(20);
    float* const partial = program.floats(20);
    float* const to = program.floats(1);
    auto* const ticket = reinterpret_cast<unsigned*>(program.floats(1));
    program.fill(from, std::vector<float>(20, 3));
    expectSuccess(cudaMemsetAsync(ticket, 0, 4, program.stream), "fill");
    for (const auto order : {ThreadOrder::Forward, ThreadOrder::Reverse, ThreadOrder::Random}) {
        setThreadOrder(order);
        expectSuccess(program.launch(20, 32, lastBlockSums, from, partial, ticket, to), "launch");
        expect(program.read(to, 1)[0] == 120, "the last block's sum");
    }
}

void numbersAreRounded()
{
    SmallProgram program;
    float* const to = program.floats(6);
    expectSuccess(program.launch(1, 1, roundings, to), "launch");
    expect(program.read(to, 6) == std::vector<float>{65504, 1, 1, 0, -2.5F, 0x1p24F}, "roundings");
}

void exceptionsAreKept()
{
    SmallProgram program;
    expectSuccess(program.launch(1, 32, throwing), "launch");
    expectFailedLaunch(program, "thrown by thread 0");
}

void ordersDiffer()
{
    SmallProgram program;
    float* const to = program.floats(64);
    auto* const next = reinterpret_cast<int*>(program.floats(1));
    const auto order = [&] {
        expectSuccess(cudaMemsetAsync(next, 0, 4, program.stream), "fill");
        expectSuccess(program.launch(1, 64, recordOrder, to, next), "launch");
        return program.read(to, 64);
    };
    std::vector<float> ascending(64);
    std::iota(ascending.begin(), ascending.end(), 0.0F);
    expect(order() == ascending, "forward");
    setThreadOrder(ThreadOrder::Reverse);
    expect(order() == std::vector<float>(ascending.rbegin(), ascending.rend()), "reverse");
    setThreadOrder(ThreadOrder::Random, 1);
    const auto first = order();
    expect(first != ascending && order() != first, "random");
    setThreadOrder(ThreadOrder::Random, 1);
    expect(order() == first, "the seed does not repeat the order");
}

void configurations()
{
    SmallProgram program;
    float* const to = program.floats(1);
    const auto launch = [&](dim3 grid, dim3 block, std::size_t dynamic = 0) {
        cudaLaunchConfig_t config{};
        config.gridDim = grid;
        config.blockDim = block;
        config.dynamicSmemBytes = dynamic;
        config.stream = program.stream;
        return cudaLaunchKernelEx(&config, readShared, to);
    };
    const cudaError_t wrong = cudaErrorInvalidConfiguration;
    expectError(launch(0, 32), wrong, "no blocks");
    expectError(launch(1, 0), wrong, "no threads");
    expectError(launch(1, 1025), wrong, "too many threads");
    expectError(launch(1, {64, 17}), wrong, "too many threads in two dimensions");
    expectError(launch(1, {1, 1, 65}), wrong, "too many threads in z");
    expectError(launch({1, 65536}, 1), wrong, "too many blocks in y");
    expectError(launch(0x80000000U, 1), wrong, "too many blocks in x");
    expectError(launch(1, 1, 16), cudaErrorNotSupported, "dynamic shared memory");
    expectError(cudaGetLastError(), cudaErrorNotSupported, "cudaGetLastError");
    expectSuccess(launch(1, {32, 32}), "the largest block");
    expectSuccess(program.wait(), "wait");
    setDevices({{.major = 7, .minor = 0}});
    expectError(launch(1, 1), cudaErrorNoKernelImageForDevice, "an old device");
    setDevices({{}});
}

} // namespace
} // namespace fullbatch::emulation

int main()
{
    using namespace fullbatch::emulation;
    return runRuleChecks({
        {"threads know their place", threadsKnowTheirPlace},
        {"a missing barrier shows", missingBarrier},
        {"shared memory is poison", sharedMemoryIsPoison},
        {"a missing second barrier shows", missingSecondBarrier},
        {"a barrier that not all reach", divergentBarrier},
        {"a shuffle with a missing lane", missingLane},
        {"shuffles move values", shufflesMoveValues},
        {"the last block sums", lastBlock},
        {"numbers are rounded", numbersAreRounded},
        {"exceptions are kept", exceptionsAreKept},
        {"orders differ", ordersDiffer},
        {"launch configurations", configurations},
    });
}
