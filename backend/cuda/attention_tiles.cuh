// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tiles of the own attention: 128 rows of 64 elements of 16 bit in shared memory, a row 128 bytes, its eight
// groups of 16 bytes swizzled (group ^= row % 8) as the asynchronous product of sm_90a reads them. Addresses
// are of shared memory; a tile begins at a multiple of 1024.
//
// One tile serves in two ways: by rows (the product sums over its columns: "K-major") and across (it sums
// over its rows, "MN-major"). Fragments of a product, for warp w and lane l of a group of four warps:
// d[4 j + 2 r + e] is row 16 w + l / 4 + 8 r, column 8 j + 2 (l % 4) + e.

#include "fragment_sums.cuh"
#include "hopper.cuh"
#include "pairs.cuh"

namespace sbtrain::cuda {

constexpr int kTileRows = 128;
constexpr int kTileBytes = kTileRows * 128;
constexpr std::uint64_t kSixteenRows = 16 * 128 / 16; // steps of a descriptor count 16 bytes
constexpr std::uint64_t kSixteenColumns = 2;

__device__ inline std::uint32_t tile_address(std::uint32_t tile, int row, int group)
{
    return tile + static_cast<std::uint32_t>(row * 128 + ((group ^ (row & 7)) << 4));
}

__device__ inline std::uint64_t descriptor(std::uint32_t tile)
{
    return ((tile & 0x3FFFFU) >> 4) | (std::uint64_t{1} << 16) | (std::uint64_t{64} << 32) |
           (std::uint64_t{1} << 62);
}

// Sixteen bytes on their way to shared memory; zeros if not wanted.
__device__ inline void copy16(std::uint32_t to, const void *from, bool wanted)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(wanted ? 16 : 0)
                 : "memory");
}

__device__ inline void copies_commit()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

// All but the last `Pending` groups of copies have arrived, of every thread of the block, and products may
// read them.
template <int Pending>
__device__ inline void copies_arrive()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(Pending) : "memory");
    fence_for_copies();
    __syncthreads();
}

// Rows before `rows` of a matrix whose rows are `stride` elements apart; zeros behind them.
template <int Threads, typename T>
__device__ inline void load_tile(std::uint32_t tile, const T *from, int stride, int rows)
{
    const int first = static_cast<int>(threadIdx.x) / 8;
    const int group = static_cast<int>(threadIdx.x) % 8;
#pragma unroll
    for (int i = 0; i < kTileRows * 8 / Threads; ++i) {
        const int row = first + i * (Threads / 8);
        const bool wanted = row < rows;
        copy16(tile_address(tile, row, group), from + (wanted ? row : 0) * stride + group * 8, wanted);
    }
}

// Writes a 16x16 block of packed fragments; the lane's address is of row lane % 16 and group lane / 16 of it.
__device__ inline void store_block(std::uint32_t address, const std::uint32_t (&f)[4])
{
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(f[0]),
                 "r"(f[1]), "r"(f[2]), "r"(f[3])
                 : "memory");
}

__device__ inline uint4 load_shared16(std::uint32_t address)
{
    uint4 v;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w)
                 : "r"(address)
                 : "memory");
    return v;
}

__device__ inline float exp2_fast(float x)
{
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// The compiler does not know that products read and write registers later: nothing that uses these moves
// across.
template <int N>
__device__ inline void pin(float (&values)[N])
{
#pragma unroll
    for (int i = 0; i < N; ++i)
        asm volatile("" : "+f"(values[i])::"memory");
}

template <int N>
__device__ inline void pin(std::uint32_t (&values)[N])
{
#pragma unroll
    for (int i = 0; i < N; ++i)
        asm volatile("" : "+r"(values[i])::"memory");
}

template <int N>
__device__ inline void pin(std::uint32_t (&values)[N][4])
{
#pragma unroll
    for (int i = 0; i < N; ++i)
        asm volatile(""
                     : "+r"(values[i][0]), "+r"(values[i][1]), "+r"(values[i][2]),
                       "+r"(values[i][3])::"memory");
}

#define SBTRAIN_D8(i)                                                                                        \
    "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]),              \
        "+f"(d[i + 6]), "+f"(d[i + 7])
#define SBTRAIN_D16(i) SBTRAIN_D8(i), SBTRAIN_D8(i + 8)
#define SBTRAIN_LIST16 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"
#define SBTRAIN_LIST32                                                                                       \
    SBTRAIN_LIST16 ", %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"

// d (64, 32) = a (64, 16) b (32, 16)^T [+ d], both tiles by rows.
#define SBTRAIN_PRODUCT(types)                                                                               \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %18, 0;\n"                                            \
                 "wgmma.mma_async.sync.aligned.m64n32k16.f32." types " {" SBTRAIN_LIST16                     \
                 "}, %16, %17, add, 1, 1, 0, 0;\n}\n"                                                        \
                 : SBTRAIN_D16(0)                                                                            \
                 : "l"(a), "l"(b), "r"(add))
template <typename T>
__device__ inline void product_rows(float (&d)[16], std::uint64_t a, std::uint64_t b, int add)
{
    if constexpr (std::is_same_v<T, __half>)
        SBTRAIN_PRODUCT("f16.f16");
    else
        SBTRAIN_PRODUCT("bf16.bf16");
}
#undef SBTRAIN_PRODUCT

// d (64, 64) = a (64, 16) b (16, 64) [+ d]: a in fragments, b a tile across.
#define SBTRAIN_PRODUCT(types)                                                                               \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %37, 0;\n"                                            \
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32." types " {" SBTRAIN_LIST32                     \
                 "}, {%32, %33, %34, %35}, %36, add, 1, 1, 1;\n}\n"                                          \
                 : SBTRAIN_D16(0), SBTRAIN_D16(16)                                                           \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b), "r"(add))
template <typename T>
__device__ inline void product_across(float (&d)[32], const std::uint32_t (&a)[4], std::uint64_t b, int add)
{
    if constexpr (std::is_same_v<T, __half>)
        SBTRAIN_PRODUCT("f16.f16");
    else
        SBTRAIN_PRODUCT("bf16.bf16");
}
#undef SBTRAIN_PRODUCT

// d (64, 64) = a (16, 64)^T b (16, 64) [+ d], both tiles across.
#define SBTRAIN_PRODUCT(types)                                                                               \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %34, 0;\n"                                            \
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32." types " {" SBTRAIN_LIST32                     \
                 "}, %32, %33, add, 1, 1, 1, 1;\n}\n"                                                        \
                 : SBTRAIN_D16(0), SBTRAIN_D16(16)                                                           \
                 : "l"(a), "l"(b), "r"(add))
template <typename T>
__device__ inline void product_both_across(float (&d)[32], std::uint64_t a, std::uint64_t b, int add)
{
    if constexpr (std::is_same_v<T, __half>)
        SBTRAIN_PRODUCT("f16.f16");
    else
        SBTRAIN_PRODUCT("bf16.bf16");
}
#undef SBTRAIN_PRODUCT
#undef SBTRAIN_LIST32
#undef SBTRAIN_LIST16
#undef SBTRAIN_D16
#undef SBTRAIN_D8

// 16 rows of 64 sums times a factor, from `row` of the tile on, to rows of `to` before `rows`, by way of the
// tile: only this warp uses those rows of it.
struct RowsOut {
    std::uint32_t tile;
    int row, rows;
    int stride; // of `to`, in elements
};
template <typename T>
__device__ inline void store_rows(const RowsOut &out, const float (&d)[32], const float (&factor)[2], T *to)
{
    const int lane = static_cast<int>(threadIdx.x % 32);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const std::uint32_t f[4] = {pack2<T>(d[8 * i] * factor[0], d[8 * i + 1] * factor[0]),
                                    pack2<T>(d[8 * i + 2] * factor[1], d[8 * i + 3] * factor[1]),
                                    pack2<T>(d[8 * i + 4] * factor[0], d[8 * i + 5] * factor[0]),
                                    pack2<T>(d[8 * i + 6] * factor[1], d[8 * i + 7] * factor[1])};
        store_block(tile_address(out.tile, out.row + lane % 16, 2 * i + lane / 16), f);
    }
    __syncwarp();
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const int row = out.row + 4 * i + lane / 8;
        const uint4 value = load_shared16(tile_address(out.tile, row, lane % 8));
        if (row < out.rows)
            *reinterpret_cast<uint4 *>(to + row * out.stride + lane % 8 * 8) = value;
    }
}

} // namespace sbtrain::cuda
