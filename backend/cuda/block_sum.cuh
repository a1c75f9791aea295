// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace sbtrain::cuda {

// Thread sums in fixed order, then a tree.
template <int Threads = 256>
__device__ inline double block_sum(double value)
{
    __shared__ double shared[Threads];
    shared[threadIdx.x] = value;
    __syncthreads();
    for (unsigned half = Threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            shared[threadIdx.x] += shared[threadIdx.x + half];
        __syncthreads();
    }
    const double sum = shared[0];
    __syncthreads();
    return sum;
}

} // namespace sbtrain::cuda
