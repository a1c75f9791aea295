// SPDX-License-Identifier: Apache-2.0
#pragma once

// More instructions of sm_90a, for products with wide tiles: blocks in clusters that fetch what they share
// once, and the asynchronous product of 64 rows with 256 columns.

#include "hopper.cuh"

namespace sbtrain::cuda {

// Memory is seen by the whole cluster after it; every thread of every block must come.
__device__ inline void cluster_sync()
{
    asm volatile("barrier.cluster.arrive.release;\nbarrier.cluster.wait.acquire;" ::: "memory");
}

// The same without memory: nobody of the cluster ends before all have come.
__device__ inline void cluster_end()
{
    asm volatile("barrier.cluster.arrive.relaxed;\nbarrier.cluster.wait;" ::: "memory");
}

// Arrives at the barrier that lies where `barrier` does, of block `rank` of the cluster. For what products
// have read: ordinary stores before it are ordered for the own block only, as more would cost a fence of the
// device.
__device__ inline void barrier_arrive_at(std::uint64_t *barrier, int rank)
{
    asm volatile("{\n"
                 ".reg .b32 there;\n"
                 "mapa.shared::cluster.u32 there, %0, %1;\n"
                 "mbarrier.arrive.shared::cluster.b64 _, [there];\n"
                 "}\n" ::"r"(shared_address(barrier)),
                 "r"(rank)
                 : "memory");
}

// A tile into every block whose bit is set in `blocks`, at the same place, and counted there by the barrier
// at the place of `barrier`.
__device__ inline void tile_load_to(const void *map, std::uint64_t *barrier, void *to, int x, int y,
                                    std::uint16_t blocks)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes"
                 ".multicast::cluster [%0], [%1, {%3, %4}], [%2], %5;" ::"r"(shared_address(to)),
                 "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y), "h"(blocks)
                 : "memory");
}

// A swizzled tile that lies across: a row is a k and has 64 columns, a slice of as many k; the next 64
// columns are a slice of `slice` bytes further.
__device__ inline std::uint64_t across_descriptor(const void *tile, int slice)
{
    const std::uint64_t address = (shared_address(tile) & 0x3FFFFU) >> 4;
    return address | (static_cast<std::uint64_t>(slice / 16) << 16) | (std::uint64_t{64} << 32) |
           (std::uint64_t{1} << 62);
}

#define SBTRAIN_D8(i)                                                                                        \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]),              \
        "+f"(d[i + 6]), "+f"(d[i + 7])
#define SBTRAIN_D64(i)                                                                                       \
    SBTRAIN_D8(i), SBTRAIN_D8(i + 8), SBTRAIN_D8(i + 16), SBTRAIN_D8(i + 24), SBTRAIN_D8(i + 32),            \
        SBTRAIN_D8(i + 40), SBTRAIN_D8(i + 48), SBTRAIN_D8(i + 56)
#define SBTRAIN_D128 SBTRAIN_D64(0), SBTRAIN_D64(64)
#define SBTRAIN_LIST128                                                                                      \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "   \
    "%22, %23, %24, %25, %26, %27, %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, "   \
    "%42, %43, %44, %45, %46, %47, %48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, "   \
    "%62, %63, %64, %65, %66, %67, %68, %69, %70, %71, %72, %73, %74, %75, %76, %77, %78, %79, %80, %81, "   \
    "%82, %83, %84, %85, %86, %87, %88, %89, %90, %91, %92, %93, %94, %95, %96, %97, %98, %99, %100, %101, " \
    "%102, %103, %104, %105, %106, %107, %108, %109, %110, %111, %112, %113, %114, %115, %116, %117, %118, " \
    "%119, %120, %121, %122, %123, %124, %125, %126, %127"
#define SBTRAIN_PRODUCT256(types)                                                                            \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %130, 0;\n"                                           \
                 "wgmma.mma_async.sync.aligned.m64n256k16.f32." types " {" SBTRAIN_LIST128                   \
                 "}, %128, %129, add, 1, 1, 0, %131;\n}\n"                                                   \
                 : SBTRAIN_D128                                                                              \
                 : "l"(left), "l"(right), "r"(add), "n"(Across))

// d (64, 256) = a (64, 16) b (16, 256) [+ d] in 16 bit. Across = 0: b^T lies in memory, (256, 16); 1: b does,
// see across_descriptor(). d in the registers of four warps: d[4 j + 2 r + e] of warp w and lane l is row
// 16 w + l / 4 + 8 r, column 8 j + 2 (l % 4) + e.
template <typename T, int Across>
__device__ __forceinline__ void wide_product(float (&d)[128], std::uint64_t left, std::uint64_t right,
                                             int add)
{
    if constexpr (std::is_same_v<T, __half>)
        SBTRAIN_PRODUCT256("f16.f16");
    else
        SBTRAIN_PRODUCT256("bf16.bf16");
}

#undef SBTRAIN_PRODUCT256
#undef SBTRAIN_LIST128
#undef SBTRAIN_D128
#undef SBTRAIN_D64
#undef SBTRAIN_D8

} // namespace sbtrain::cuda
