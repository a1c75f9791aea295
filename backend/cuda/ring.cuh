// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hopper.cuh"

namespace sbtrain::cuda {

// A ring of slots, filled and emptied in turns; n counts its uses. It lies at a fixed place in shared memory.
template <int Slots, int Bytes, int Place, int Barriers>
struct Ring {
    std::uint8_t *shared;

    __device__ std::uint64_t *barrier(int i) const
    {
        return reinterpret_cast<std::uint64_t *>(shared + Barriers) + i;
    }
    __device__ std::uint8_t *slot(int n) const { return shared + Place + n % Slots * Bytes; }
    __device__ std::uint64_t *full(int n) const { return barrier(n % Slots); }
    __device__ std::uint64_t *empty(int n) const { return barrier(Slots + n % Slots); }
    __device__ void wait_full(int n) const { barrier_wait(full(n), n / Slots & 1); }
    __device__ void wait_empty(int n) const { barrier_wait(empty(n), (n / Slots & 1) ^ 1); }
    __device__ void init(int fills, int releases) const
    {
        for (int i = 0; i < Slots; ++i) {
            barrier_init(full(i), fills);
            barrier_init(empty(i), releases);
        }
    }
};

// Once for all lanes of a warp, which have done with what the barrier guards.
__device__ inline void release(std::uint64_t *barrier, int lane)
{
    __syncwarp();
    if (lane == 0)
        barrier_arrive(barrier);
}

} // namespace sbtrain::cuda
