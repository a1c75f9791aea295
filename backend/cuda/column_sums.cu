// SPDX-License-Identifier: Apache-2.0
#include "column_sums.h"

#include "vec.cuh"

#include <algorithm>

namespace sbtrain::cuda {

namespace {

constexpr int kMost = 16; // sums a launch: those of two blocks of BERT's encoder
constexpr int kColumns = 32;
constexpr int kRowThreads = 16;

struct Jobs {
    ColumnSum sums[kMost];
    int first_block[kMost + 1]; // the last is the number of blocks
};

__global__ void __launch_bounds__(kColumns *kRowThreads) sum_kernel(const __grid_constant__ Jobs jobs)
{
    int job = 0;
    while (static_cast<int>(blockIdx.x) >= jobs.first_block[job + 1])
        ++job;
    const ColumnSum &sum = jobs.sums[job];
    const std::int64_t column =
        static_cast<std::int64_t>(static_cast<int>(blockIdx.x) - jobs.first_block[job]) * kColumns +
        threadIdx.x;
    __shared__ float shared[kRowThreads][kColumns + 1];
    float total = 0.0F;
    if (column < sum.columns) {
#pragma unroll 8
        for (int row = static_cast<int>(threadIdx.y); row < sum.rows; row += kRowThreads)
            total += sum.partial[row * sum.ld + column];
    }
    shared[threadIdx.y][threadIdx.x] = total;
    __syncthreads();
    // Half a warp a column now.
    const int thread = static_cast<int>(threadIdx.y * kColumns + threadIdx.x);
    const int own = thread / kRowThreads;
    total = shared[thread % kRowThreads][own];
#pragma unroll
    for (int offset = kRowThreads / 2; offset > 0; offset /= 2)
        total += __shfl_xor_sync(0xFFFFFFFFU, total, offset);
    const std::int64_t out = column - threadIdx.x + own;
    if (thread % kRowThreads == 0 && out < sum.columns)
        sum.out[out] = total;
}

} // namespace

void ColumnSums::flush()
{
    for (std::size_t first = 0; first < m_waiting.size(); first += kMost) {
        Jobs jobs{};
        const int count = static_cast<int>(std::min<std::size_t>(m_waiting.size() - first, kMost));
        for (int i = 0; i < count; ++i) {
            jobs.sums[i] = m_waiting[first + static_cast<std::size_t>(i)];
            jobs.first_block[i + 1] =
                jobs.first_block[i] + static_cast<int>((jobs.sums[i].columns + kColumns - 1) / kColumns);
        }
        sum_kernel<<<static_cast<unsigned>(jobs.first_block[count]), dim3(kColumns, kRowThreads), 0,
                     m_stream>>>(jobs);
        check_launch("sum partial rows");
    }
    m_waiting.clear();
}

} // namespace sbtrain::cuda
