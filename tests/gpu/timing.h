// SPDX-License-Identifier: Apache-2.0
#pragma once

// How the checks time kernels.

#include "cuda/check.h"

#include <algorithm>
#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

// Times kLaunches calls of body(i) together, kRepeats times: prints best and median of one, in ms.
template <typename Body>
void time_it(const char *what, double megabytes, Body body)
{
    constexpr int kRepeats = 25;
    constexpr int kLaunches = 12;
    cudaEvent_t begin = nullptr;
    cudaEvent_t end = nullptr;
    sbtrain::cuda::check(cudaEventCreate(&begin), "make an event");
    sbtrain::cuda::check(cudaEventCreate(&end), "make an event");
    std::vector<float> times;
    for (int repeat = -3; repeat < kRepeats; ++repeat) {
        sbtrain::cuda::check(cudaEventRecord(begin), "time");
        for (int i = 0; i < kLaunches; ++i)
            body(i);
        sbtrain::cuda::check(cudaEventRecord(end), "time");
        sbtrain::cuda::check(cudaEventSynchronize(end), "time");
        float ms = 0.0F;
        sbtrain::cuda::check(cudaEventElapsedTime(&ms, begin, end), "time");
        if (repeat >= 0)
            times.push_back(ms / kLaunches);
    }
    std::sort(times.begin(), times.end());
    const double best = static_cast<double>(times.front());
    std::printf("  %-22s best %.4f ms  median %.4f ms  (%.0f MB, %.0f GB/s)\n", what, best,
                static_cast<double>(times[times.size() / 2]), megabytes, megabytes / best);
    sbtrain::cuda::check(cudaEventDestroy(begin), "time");
    sbtrain::cuda::check(cudaEventDestroy(end), "time");
}

// Milliseconds of one run(i) over `sets` copies in turn: the best of five rounds of about twenty after one to
// warm up.
template <typename Run>
float best_ms(std::size_t sets, Run run)
{
    cudaEvent_t begin = nullptr, end = nullptr;
    sbtrain::cuda::check(cudaEventCreate(&begin), "make an event");
    sbtrain::cuda::check(cudaEventCreate(&end), "make an event");
    const std::size_t runs = std::max<std::size_t>(20 / sets, 1) * sets;
    float best = 1e9F;
    for (int round = 0; round < 6; ++round) {
        sbtrain::cuda::check(cudaEventRecord(begin), "time");
        for (std::size_t i = 0; i < runs; ++i)
            run(i % sets);
        sbtrain::cuda::check(cudaEventRecord(end), "time");
        sbtrain::cuda::check(cudaEventSynchronize(end), "time");
        float ms = 0.0F;
        sbtrain::cuda::check(cudaEventElapsedTime(&ms, begin, end), "time");
        if (round > 0)
            best = std::min(best, ms / static_cast<float>(runs));
    }
    sbtrain::cuda::check(cudaEventDestroy(begin), "time");
    sbtrain::cuda::check(cudaEventDestroy(end), "time");
    return best;
}
