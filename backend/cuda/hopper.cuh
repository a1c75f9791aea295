// SPDX-License-Identifier: Apache-2.0
#pragma once

// The instructions of sm_90a that the own matrix product is made of: barriers in shared memory, the copy
// engine for tiles (TMA) and the asynchronous matrix product of a warpgroup (wgmma).

#include <cstdint>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <type_traits>

namespace sbtrain::cuda {

__device__ inline std::uint32_t shared_address(const void *pointer)
{
    return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

__device__ inline void barrier_init(std::uint64_t *barrier, int arrivals)
{
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals));
}

__device__ inline void barrier_arrive(std::uint64_t *barrier)
{
    asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

__device__ inline void barrier_expect(std::uint64_t *barrier, int bytes)
{
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)),
                 "r"(bytes)
                 : "memory");
}

// Waits until the phase of this parity has completed.
__device__ inline void barrier_wait(std::uint64_t *barrier, int parity)
{
    asm volatile("{\n"
                 ".reg .pred done;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
                 "@done bra finished;\n"
                 "bra again;\n"
                 "finished:\n"
                 "}\n" ::"r"(shared_address(barrier)),
                 "r"(parity)
                 : "memory");
}

__device__ inline void tile_load(const void *map, std::uint64_t *barrier, void *to, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, "
                 "{%3, %4}], [%2];" ::"r"(shared_address(to)),
                 "l"(map), "r"(shared_address(barrier)), "r"(x), "r"(y)
                 : "memory");
}

__device__ inline void tile_store(const void *map, const void *from, int x, int y)
{
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%2, %3}], [%1];" ::"l"(map),
                 "r"(shared_address(from)), "r"(x), "r"(y)
                 : "memory");
}

__device__ inline void tile_load(const void *map, std::uint64_t *barrier, void *to, int c, int x, int y,
                                 int n)
{
    asm volatile("cp.async.bulk.tensor.4d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, "
                 "{%3, %4, %5, %6}], [%2];" ::"r"(shared_address(to)),
                 "l"(map), "r"(shared_address(barrier)), "r"(c), "r"(x), "r"(y), "r"(n)
                 : "memory");
}

__device__ inline void tile_store(const void *map, const void *from, int c, int x, int y, int n)
{
    asm volatile(
        "cp.async.bulk.tensor.4d.global.shared::cta.bulk_group [%0, {%2, %3, %4, %5}], [%1];" ::"l"(map),
        "r"(shared_address(from)), "r"(c), "r"(x), "r"(y), "r"(n)
        : "memory");
}

__device__ inline void stores_commit()
{
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

// The stores' shared memory may be written again, that of all but the last `Pending` commits.
template <int Pending = 0>
__device__ inline void stores_wait_read()
{
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Pending) : "memory");
}

__device__ inline void stores_wait()
{
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

// Ordinary stores to shared memory before this are seen by the copy engine after the next barrier.
__device__ inline void fence_for_copies()
{
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

// For as many threads of the block, whole warps, as call it with this id.
template <int Threads>
__device__ inline void threads_sync(int id)
{
    asm volatile("bar.sync %0, %1;" ::"r"(id), "n"(Threads) : "memory");
}

__device__ inline void warpgroup_sync(int id)
{
    threads_sync<128>(id);
}

// A K-major tile with rows of 128 bytes, swizzled: 8 rows are 1024 bytes apart from the next 8.
__device__ inline std::uint64_t tile_descriptor(const void *tile)
{
    const std::uint64_t address = (shared_address(tile) & 0x3FFFFU) >> 4;
    return address | (std::uint64_t{1} << 16) | (std::uint64_t{64} << 32) | (std::uint64_t{1} << 62);
}

// A K-major tile that is not swizzled: of eight rows, 16 bytes each lie together; `along_k` bytes further
// come their next 16, `along_rows` further the next eight rows.
__device__ inline std::uint64_t plain_tile_descriptor(const void *tile, int along_k, int along_rows)
{
    const std::uint64_t address = (shared_address(tile) & 0x3FFFFU) >> 4;
    return address | (static_cast<std::uint64_t>(along_k / 16) << 16) |
           (static_cast<std::uint64_t>(along_rows / 16) << 32);
}

__device__ inline void product_fence()
{
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}

__device__ inline void product_commit()
{
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}

// Before the first product of d, which does not read it. Where d has no value until then, ptxas before 12.9
// takes it for defined among the products and lets each wait for the one before (C7515).
template <int N>
__device__ __forceinline__ void product_start([[maybe_unused]] float (&d)[N])
{
#if __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ < 1209
#pragma unroll
    for (int i = 0; i < N; ++i)
        d[i] = 0.0F;
#endif
}

template <int Pending>
__device__ inline void product_wait()
{
    asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Pending) : "memory");
}

#define SBTRAIN_F8(d, i)                                                                                     \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]),              \
        "+f"(d[i + 6]), "+f"(d[i + 7])
#define SBTRAIN_F32(d, i) SBTRAIN_F8(d, i), SBTRAIN_F8(d, i + 8), SBTRAIN_F8(d, i + 16), SBTRAIN_F8(d, i + 24)
#define SBTRAIN_LIST32                                                                                       \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "   \
    "%22, "                                                                                                  \
    "%23, %24, %25, %26, %27, %28, %29, %30, %31"
#define SBTRAIN_LIST64                                                                                       \
    SBTRAIN_LIST32 ", %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, " \
                   "%49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"
#define SBTRAIN_PRODUCT(n, types, list, a, b, p, last, ...)                                                  \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %" #p ", 0;\n"                                        \
                 "wgmma.mma_async.sync.aligned.m64n" #n types " {" list "}, %" #a ", %" #b ", add, " last    \
                 ";\n}\n"                                                                                    \
                 : __VA_ARGS__                                                                               \
                 : "l"(left), "l"(right), "r"(add))
#define SBTRAIN_PRODUCT128(types, last)                                                                      \
    SBTRAIN_PRODUCT(128, types, SBTRAIN_LIST64, 64, 65, 66, last, SBTRAIN_F32(d, 0), SBTRAIN_F32(d, 32))
#define SBTRAIN_PRODUCT64(types, last)                                                                       \
    SBTRAIN_PRODUCT(64, types, SBTRAIN_LIST32, 32, 33, 34, last, SBTRAIN_F32(d, 0))

// d (64, N) = a (64, K) b (N, K)^T [+ d] over 32 bytes of K: 16 columns, or 8 of tf32, which must have been
// rounded before: the lower 13 bits are not read. d in the registers of four warps.
template <typename T, int N>
__device__ inline void product(float (&d)[N / 2], std::uint64_t left, std::uint64_t right, int add)
{
    static_assert(N == 64 || N == 128);
    if constexpr (N == 128 && std::is_same_v<T, __half>)
        SBTRAIN_PRODUCT128("k16.f32.f16.f16", "1, 1, 0, 0");
    else if constexpr (N == 128 && std::is_same_v<T, float>)
        SBTRAIN_PRODUCT128("k8.f32.tf32.tf32", "1, 1");
    else if constexpr (N == 128)
        SBTRAIN_PRODUCT128("k16.f32.bf16.bf16", "1, 1, 0, 0");
    else if constexpr (std::is_same_v<T, __half>)
        SBTRAIN_PRODUCT64("k16.f32.f16.f16", "1, 1, 0, 0");
    else if constexpr (std::is_same_v<T, float>)
        SBTRAIN_PRODUCT64("k8.f32.tf32.tf32", "1, 1");
    else
        SBTRAIN_PRODUCT64("k16.f32.bf16.bf16", "1, 1, 0, 0");
}

#define SBTRAIN_PRODUCT_OF_REGISTERS(n, types, list, a0, a1, a2, a3, b, p, last, ...)                        \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %" #p ", 0;\n"                                        \
                 "wgmma.mma_async.sync.aligned.m64n" #n types " {" list "}, {%" #a0 ", %" #a1 ", %" #a2      \
                 ", %" #a3 "}, %" #b ", add, " last ";\n}\n"                                                 \
                 : __VA_ARGS__                                                                               \
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right), "r"(add))
#define SBTRAIN_PRODUCT_OF_REGISTERS128(types, last)                                                         \
    SBTRAIN_PRODUCT_OF_REGISTERS(128, types, SBTRAIN_LIST64, 64, 65, 66, 67, 68, 69, last,                   \
                                 SBTRAIN_F32(d, 0), SBTRAIN_F32(d, 32))
#define SBTRAIN_PRODUCT_OF_REGISTERS64(types, last)                                                          \
    SBTRAIN_PRODUCT_OF_REGISTERS(64, types, SBTRAIN_LIST32, 32, 33, 34, 35, 36, 37, last, SBTRAIN_F32(d, 0))

// The same with a in registers, for bf16 and tf32. Of a warp's 16 rows a lane holds rows lane / 4 and
// lane / 4 + 8, of both first 4 bytes from lane % 4 on, then those 16 bytes further on. They must not change
// before product_wait().
template <typename T, int N>
__device__ inline void product(float (&d)[N / 2], const std::uint32_t (&left)[4], std::uint64_t right,
                               int add)
{
    static_assert((N == 64 || N == 128) && !std::is_same_v<T, __half>);
    if constexpr (N == 128 && std::is_same_v<T, float>)
        SBTRAIN_PRODUCT_OF_REGISTERS128("k8.f32.tf32.tf32", "1, 1");
    else if constexpr (N == 128)
        SBTRAIN_PRODUCT_OF_REGISTERS128("k16.f32.bf16.bf16", "1, 1, 0");
    else if constexpr (std::is_same_v<T, float>)
        SBTRAIN_PRODUCT_OF_REGISTERS64("k8.f32.tf32.tf32", "1, 1");
    else
        SBTRAIN_PRODUCT_OF_REGISTERS64("k16.f32.bf16.bf16", "1, 1, 0");
}

#undef SBTRAIN_PRODUCT_OF_REGISTERS64
#undef SBTRAIN_PRODUCT_OF_REGISTERS128
#undef SBTRAIN_PRODUCT_OF_REGISTERS
#undef SBTRAIN_PRODUCT64
#undef SBTRAIN_PRODUCT128
#undef SBTRAIN_PRODUCT
#undef SBTRAIN_LIST64
#undef SBTRAIN_LIST32
#undef SBTRAIN_F32
#undef SBTRAIN_F8

} // namespace sbtrain::cuda
