// SPDX-License-Identifier: GPL-3.0-or-later
// Holds the loop that measures the machine's peak to another one, written apart from it: longer
// chains of multiply-adds on data that keep changing. Both take turns on one thread; the ratio
// should be within 5 % of 1.
#include "core/engine/cpu/tile_kernels.h"
#include "core/engine/peak_flops.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include <immintrin.h>

namespace {

constexpr int chains = 20;

[[gnu::target("avx512f")]] float with16Lanes(std::int64_t repeats)
{
    __m512 sums[chains];
    for (int i = 0; i < chains; ++i)
        sums[i] = _mm512_set1_ps(static_cast<float>(i));
    const __m512 factor = _mm512_set1_ps(-0.99F); // alternating signs
    const __m512 term = _mm512_set1_ps(0.37F);
    for (std::int64_t k = 0; k < repeats; ++k) {
#pragma GCC unroll 20
        for (int i = 0; i < chains; ++i)
            sums[i] = _mm512_fmadd_ps(sums[i], factor, term);
    }
    float total = 0;
    for (const __m512& sum : sums)
        total += sum[0];
    return total;
}

// 10 chains: the instruction set has 16 registers.
[[gnu::target("avx2,fma")]] float with8Lanes(std::int64_t repeats)
{
    __m256 sums[chains / 2];
    for (int i = 0; i < chains / 2; ++i)
        sums[i] = _mm256_set1_ps(static_cast<float>(i));
    const __m256 factor = _mm256_set1_ps(-0.99F);
    const __m256 term = _mm256_set1_ps(0.37F);
    for (std::int64_t k = 0; k < 2 * repeats; ++k) {
#pragma GCC unroll 10
        for (int i = 0; i < chains / 2; ++i)
            sums[i] = _mm256_fmadd_ps(sums[i], factor, term);
    }
    float total = 0;
    for (const __m256& sum : sums)
        total += sum[0];
    return total;
}

double gflops(bool wide, std::int64_t repeats)
{
    const auto began = std::chrono::steady_clock::now();
    volatile float result = wide ? with16Lanes(repeats) : with8Lanes(repeats);
    static_cast<void>(result);
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    return 2.0 * chains * (wide ? 16 : 8) * static_cast<double>(repeats) / seconds * 1e-9;
}

} // namespace

int main()
{
    const int lanes = fullbatch::tileKernels().lanes;
    if (lanes < 8) {
        std::puts("This processor has no multiply-add; nothing to compare.");
        return 77;
    }
    const bool wide = lanes == 16;
    fullbatch::PeakLoop peak(1);
    std::vector<double> ratios;
    std::vector<double> values;
    for (int round = 0; round < 200; ++round) {
        const double other = gflops(wide, 10'000);
        values.push_back(peak.round());
        ratios.push_back(values.back() / other);
    }
    std::sort(ratios.begin(), ratios.end());
    std::sort(values.begin(), values.end());
    std::printf("peak %.1f GFLOP/s (highest %.1f), ratio to the other loop %.3f (%.3f to %.3f)\n",
                values[100], values.back(), ratios[100], ratios[20], ratios[180]);
    return ratios[100] > 0.95 && ratios[100] < 1.05 ? 0 : 1;
}
