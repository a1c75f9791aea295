// SPDX-License-Identifier: Apache-2.0
#pragma once

// Blocks of a cluster that work together: what lies at the same place in the shared memory of each of them.

#include "hopper.cuh"

namespace sbtrain::cuda {

// All threads of all blocks.
__device__ inline void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release;\n"
                 "barrier.cluster.wait.acquire;\n" ::
                     : "memory");
}

// Releases nothing that was written by ordinary stores: that would be a fence of the whole device.
__device__ inline void barrier_arrive_at(std::uint64_t *barrier, int block)
{
    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
                 "}\n" ::"r"(shared_address(barrier)),
                 "r"(block)
                 : "memory");
}

// A tile into all blocks whose bits are set; in each of them its bytes count at the barrier.
__device__ inline void tile_load_to(std::uint16_t blocks, const void *map, std::uint64_t *barrier, void *to,
                                    int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%4, %5}], [%2], %3;" ::"r"(shared_address(to)),
                 "l"(map), "r"(shared_address(barrier)), "h"(blocks), "r"(x), "r"(y)
                 : "memory");
}

} // namespace sbtrain::cuda
