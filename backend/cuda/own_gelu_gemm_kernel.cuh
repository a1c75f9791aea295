// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel of the own product with GELU or its slope. Three warpgroups a block, on tiles of 128 x 256, 64
// of k a stage. Two multiply, 64 rows each; their sums fill their registers, so they leave them rounded in
// shared memory, which takes a small part of the time of a tile, and go on. The third takes them from there,
// a row a warp, while the next tile is multiplied: GELU and memory cost little as long as they take less time
// than that. They do share the arithmetic units' registers with the tensor cores, and the cache with the
// copies.
//
// Pair: two blocks of a cluster have the same columns of rows that follow each other; each fetches half of b
// for both.
//
// Included by own_gelu_gemm.cu only.

#include "own_gelu_gemm_multiply.cuh"
#include "own_gelu_gemm_take.cuh"

namespace sbtrain::cuda {

namespace {

template <typename T, GeluEpilogue E, bool Pair>
__global__ void __launch_bounds__(kGeluThreads, 1)
    own_gelu_gemm_kernel(const __grid_constant__ GeluMaps maps, const __grid_constant__ GeluParams p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ std::uint8_t raw[];
    const GeluShared s{raw + (1024 - shared_address(raw) % 1024) % 1024};
    if (threadIdx.x == 0) {
        for (int i = 0; i < kStages; ++i) {
            barrier_init(s.full(i), 1);
            barrier_init(s.empty(i), 4 * kGroups * (Pair ? 2 : 1)); // warps that read what one block copies
        }
        for (int i = 0; i < kGroups; ++i)
            barrier_init(s.left(i), 4);
        barrier_init(s.taken(), kTakers);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if constexpr (Pair)
        cluster_sync();
    const int group = static_cast<int>(threadIdx.x) / 128;
    const int warp = static_cast<int>(threadIdx.x) / 32 % 4;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (group < kGroups) {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 184;");
        GeluCopier<E, Pair> copier{maps, p, s, GeluTile<Pair>(p)};
        if (threadIdx.x == 0) {
            for (int i = 0; i < kStages; ++i)
                copier.copy(i);
        }
        const GeluMultiplier<T, E, Pair> multiplier{p, s, copier, group, warp, lane};
        multiplier.run();
    } else {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 136;");
        GeluTaker<T, E, Pair> taker{p, s, warp, lane};
        taker.run();
    }
    if constexpr (Pair)
        cluster_end(); // the other block may still arrive here
#endif
}

} // namespace

} // namespace sbtrain::cuda
