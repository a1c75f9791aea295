// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the layer norm kernels share that give C / 8 threads (whole warps) to a row.

#include "vec.cuh"

namespace sbtrain::cuda {

constexpr int kMaxWarps = 16;

inline int threads_for(int c)
{
    return (c / 8 + 31) / 32 * 32;
}

// Sums 2 * Rows values over the block; every thread gets all sums.
template <int Rows>
struct RowSums {
    float first[Rows];
    float second[Rows];
};

template <int Rows>
__device__ inline void block_sums(RowSums<Rows> &sums)
{
    __shared__ float shared[kMaxWarps][2 * Rows];
    const int warp = threadIdx.x / 32;
    const int warps = blockDim.x / 32;
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        sums.first[r] = warp_sum(sums.first[r]);
        sums.second[r] = warp_sum(sums.second[r]);
    }
    if (warps == 1)
        return;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
#pragma unroll
        for (int r = 0; r < Rows; ++r) {
            shared[warp][r] = sums.first[r];
            shared[warp][Rows + r] = sums.second[r];
        }
    }
    __syncthreads();
#pragma unroll
    for (int r = 0; r < Rows; ++r) {
        sums.first[r] = 0.0F;
        sums.second[r] = 0.0F;
        for (int w = 0; w < warps; ++w) {
            sums.first[r] += shared[w][r];
            sums.second[r] += shared[w][Rows + r];
        }
    }
}

} // namespace sbtrain::cuda
