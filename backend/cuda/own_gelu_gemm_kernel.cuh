// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel of the own product with GELU or its slope. Four warpgroups a block, on tiles of 128 x BN. The
// first copies operands, 64 of k a stage. Two multiply, 64 rows each; their sums fill their registers, so
// they leave them rounded in shared memory, which takes a small part of the time of a tile, and go on. The
// fourth group takes them from there, a row a warp, while the next tile is multiplied: GELU and memory cost
// nothing as long as they take less time than that.
//
// With `apart` the second group begins a stage behind the first and stays there, so that one multiplies while
// the other leaves its sums; but a stage is held longer.
//
// Pair: two blocks of a cluster have the same columns of rows that follow each other; each fetches half of b
// for both. Alone, the tiles would read the cache nearly twice as fast as it gives.
//
// Included by own_gelu_gemm.cu only.

#include "attention_tiles.cuh"
#include "gelu.cuh"
#include "hopper_pair.cuh"
#include "own_gelu_gemm.h"

#include <cuda.h>

namespace sbtrain::cuda {

namespace {

constexpr int kRows = 128;           // of a tile
constexpr int kDepth = 64;           // of k a stage
constexpr int kLeft = kRows * 128;   // bytes of a in a stage
constexpr int kSlice = kDepth * 128; // bytes of 64 columns of b in a stage, where b lies across
constexpr int kGroups = 2;           // that multiply
constexpr int kGroupRows = kRows / kGroups;
constexpr int kGeluThreads = 128 * (kGroups + 1);
constexpr int kTakers = 3;      // warps of the third group, whose last one copies
constexpr int kTakenAtOnce = 8; // rows a warp
constexpr int kSharedLimit = 227 * 1024;

// Of shared memory, in bytes.
template <int BN>
struct GeluSizes {
    static constexpr int kStage = kLeft + BN * 128;
    static constexpr int kPitch =
        2 * BN + 16; // of a row of sums; odd in 16 bytes, so that rows share no banks
    static constexpr int kSums = kRows * kPitch;
    static constexpr int kColumnSums = kTakers * BN * 4;
    static constexpr int kFixed = 1024 + kSums + kColumnSums + 256; // alignment, barriers
    static constexpr int kStages = (kSharedLimit - kFixed) / kStage;
    static constexpr int kSumsPlace = kStages * kStage;
    static constexpr int kColumnSumsPlace = kSumsPlace + kSums;
    static constexpr int kBarriersPlace = kColumnSumsPlace + kColumnSums;
    static constexpr int kShared = kFixed + kStages * kStage;
    static_assert(kStages >= 3 && (2 * kStages + 2 * kGroups + 1) * 8 <= 256);
};

struct GeluParams {
    int m = 0, n = 0, k = 0;
    bool apart = false;
    OwnGeluPointers at;
};

struct GeluMaps {
    CUtensorMap a, b;
};

template <int BN>
struct GeluShared {
    using Sizes = GeluSizes<BN>;
    std::uint8_t *base;

    __device__ std::uint8_t *stage(int i) const { return base + i * Sizes::kStage; }
    __device__ std::uint8_t *sums() const { return base + Sizes::kSumsPlace; }
    __device__ float *column_sums() const
    {
        return reinterpret_cast<float *>(base + Sizes::kColumnSumsPlace);
    }
    __device__ std::uint64_t *barrier(int i) const
    {
        return reinterpret_cast<std::uint64_t *>(base + Sizes::kBarriersPlace) + i;
    }
    __device__ std::uint64_t *full(int stage) const { return barrier(stage); }
    __device__ std::uint64_t *empty(int stage) const { return barrier(Sizes::kStages + stage); }
    // Of a group's rows of sums.
    __device__ std::uint64_t *left(int group) const { return barrier(2 * Sizes::kStages + group); }
    __device__ std::uint64_t *taken(int group) const { return barrier(2 * Sizes::kStages + kGroups + group); }
    // The first group has multiplied a stage.
    __device__ std::uint64_t *begun() const { return barrier(2 * Sizes::kStages + 2 * kGroups); }
};

// Which stage is next, and the parity of its use.
template <int Stages>
struct StageCount {
    int index = 0;
    int phase = 0;
    __device__ void advance()
    {
        ++index;
        if (index == Stages) {
            index = 0;
            phase ^= 1;
        }
    }
};

// The tiles of this block, one after the other: neighbours in time share rows of a. Blocks of a pair agree on
// everything but their row.
template <int BN, bool Pair>
struct GeluTile {
    static constexpr int kBlocks = Pair ? 2 : 1;
    int tile, step, tiles, columns, rank;
    int row, column; // where it begins

    __device__ explicit GeluTile(const GeluParams &p)
        : tile(static_cast<int>(blockIdx.x) / kBlocks)
        , step(static_cast<int>(gridDim.x) / kBlocks)
        , columns(p.n / BN)
        , rank(static_cast<int>(blockIdx.x) % kBlocks)
    {
        tiles = (p.m + kBlocks * kRows - 1) / (kBlocks * kRows) * columns;
        settle();
    }
    __device__ bool there() const { return tile < tiles; }
    __device__ void advance()
    {
        tile += step;
        settle();
    }

private:
    __device__ void settle()
    {
        row = (tile / columns * kBlocks + rank) * kRows;
        column = tile % columns * BN;
    }
};

__device__ inline void takers_sync()
{
    asm volatile("bar.sync 1, %0;" ::"n"(32 * kTakers) : "memory");
}

template <typename T>
__device__ __forceinline__ float2 unpack_pair(std::uint32_t pair)
{
    if constexpr (std::is_same_v<T, __half>)
        return __half22float2(*reinterpret_cast<const __half2 *>(&pair));
    else // bfloat16 is the upper half of a float
        return {__uint_as_float(pair << 16), __uint_as_float(pair & 0xFFFF0000U)};
}

__device__ __forceinline__ float reciprocal_fast(float x)
{
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

// gelu.cuh's s, to fp32's accuracy but for results below its normal numbers.
__device__ __forceinline__ float gelu_share(float z, float square)
{
    constexpr float kLog2 = -1.44269504F;
    return reciprocal_fast(1.0F + exp2_fast(z * (kLog2 * kGeluLinear + kLog2 * kGeluCubic * square)));
}

// gelu(z), or product gelu'(z) with gelu' = s + z s (1 - s) (2 u)'.
template <GeluEpilogue E>
__device__ __forceinline__ float apply(float z, float product)
{
    const float square = z * z;
    const float s = gelu_share(z, square);
    if constexpr (E == GeluEpilogue::Forward) {
        return z * s;
    } else {
        const float steep = z * (kGeluLinear + 3.0F * kGeluCubic * square);
        return product * (s + s * (steep - s * steep));
    }
}

// One thread.
template <GeluEpilogue E, int BN, bool Pair>
__device__ void copy_operands(const GeluMaps &maps, const GeluParams &p, const GeluShared<BN> &s)
{
    constexpr int kBlocks = Pair ? 2 : 1;
    StageCount<GeluSizes<BN>::kStages> stage;
    for (GeluTile<BN, Pair> tile(p); tile.there(); tile.advance()) {
        const auto load_right = [&](std::uint64_t *full, std::uint8_t *to, int x, int y) {
            if constexpr (Pair)
                tile_load_to(&maps.b, full, to, x, y, 3);
            else
                tile_load(&maps.b, full, to, x, y);
        };
        for (int k = 0; k < p.k; k += kDepth, stage.advance()) {
            std::uint64_t *full = s.full(stage.index);
            barrier_wait(s.empty(stage.index), stage.phase ^ 1);
            barrier_expect(full, GeluSizes<BN>::kStage);
            std::uint8_t *to = s.stage(stage.index);
            tile_load(&maps.a, full, to, k, tile.row);
            to += kLeft;
            if constexpr (E == GeluEpilogue::Forward) {
                constexpr int kShare = BN / kBlocks; // rows of b
                load_right(full, to + tile.rank * kShare * 128, k, tile.column + tile.rank * kShare);
            } else {
                constexpr int kShare = kDepth / kBlocks; // of k
                to += tile.rank * kShare * 128;
                for (int slice = 0; slice < BN / 64; ++slice, to += kSlice)
                    load_right(full, to, tile.column + slice * 64, k + tile.rank * kShare);
            }
        }
    }
}

// A warpgroup that multiplies.
template <typename T, GeluEpilogue E, int BN, bool Pair>
struct GeluMultiplier {
    static constexpr int kAcross = E == GeluEpilogue::Slope;

    const GeluParams &p;
    const GeluShared<BN> &s;
    int group, warp, lane;

    // To whoever fills it: both blocks fill each other's stages.
    __device__ __forceinline__ void release(int stage) const
    {
        if constexpr (Pair) {
            if (lane < 2)
                barrier_arrive_at(s.empty(stage), lane);
        } else {
            if (lane == 0)
                barrier_arrive(s.empty(stage));
        }
    }

    __device__ __forceinline__ void multiply(float (&d)[BN / 2], StageCount<GeluSizes<BN>::kStages> &stage,
                                             bool &leads) const
    {
        int previous = 0;
        for (int k = 0; k < p.k; k += kDepth, stage.advance()) {
            barrier_wait(s.full(stage.index), stage.phase);
            const std::uint8_t *from = s.stage(stage.index);
            const std::uint64_t left = tile_descriptor(from + group * kGroupRows * 128);
            const std::uint64_t right =
                kAcross ? across_descriptor(from + kLeft, kSlice) : tile_descriptor(from + kLeft);
            product_fence();
#pragma unroll
            for (int part = 0; part < kDepth / 16; ++part)
                wide_product<T, BN, kAcross>(d, left + kSixteenColumns * part,
                                             right + (kAcross ? kSixteenRows : kSixteenColumns) * part,
                                             k > 0 || part > 0);
            product_commit();
            product_wait<1>();
            if (k > 0) {
                release(previous);
                tell(leads);
            }
            previous = stage.index;
        }
        product_wait<0>();
        pin(d);
        release(previous);
        tell(leads);
    }

    // Once, when its first stage is done.
    __device__ __forceinline__ void tell(bool &leads) const
    {
        if (leads && lane == 0)
            barrier_arrive(s.begun());
        leads = false;
    }

    // This group's rows of the tile, rounded, to shared memory.
    __device__ __forceinline__ void leave(const float (&d)[BN / 2], int column) const
    {
        constexpr int kPitch = GeluSizes<BN>::kPitch;
        const std::uint32_t to = shared_address(s.sums()) +
                                 static_cast<std::uint32_t>(
                                     (group * kGroupRows + warp * 16 + lane % 16) * kPitch + lane / 16 * 16);
        [[maybe_unused]] const auto *bias =
            static_cast<const std::uint32_t *>(p.at.bias) + column / 2 + lane % 4;
#pragma unroll
        for (int i = 0; i < BN / 16; ++i) {
            float v[8];
#pragma unroll
            for (int e = 0; e < 8; ++e)
                v[e] = d[8 * i + e];
            if constexpr (E == GeluEpilogue::Forward) {
                const float2 low = unpack_pair<T>(__ldg(bias + 8 * i));
                const float2 high = unpack_pair<T>(__ldg(bias + 8 * i + 4));
#pragma unroll
                for (int e = 0; e < 4; ++e) {
                    v[e] += e % 2 == 0 ? low.x : low.y;
                    v[4 + e] += e % 2 == 0 ? high.x : high.y;
                }
            }
            const std::uint32_t fragments[4] = {pack_pair<T>(v[0], v[1]), pack_pair<T>(v[2], v[3]),
                                                pack_pair<T>(v[4], v[5]), pack_pair<T>(v[6], v[7])};
            store_block(to + static_cast<std::uint32_t>(i * 32), fragments);
        }
    }

    __device__ void run() const
    {
        StageCount<GeluSizes<BN>::kStages> stage;
        int parity = 1;
        GeluTile<BN, Pair> tile(p);
        bool leads = p.apart && group == 0;
        if (p.apart && group > 0 && tile.there())
            barrier_wait(s.begun(), 0);
        for (; tile.there(); tile.advance(), parity ^= 1) {
            float d[BN / 2];
            multiply(d, stage, leads);
            barrier_wait(s.taken(group), parity);
            leave(d, tile.column);
            __syncwarp();
            if (lane == 0)
                barrier_arrive(s.left(group));
        }
    }
};

// The warpgroup that takes what the others leave. A warp has every third row, a lane eight columns.
template <typename T, GeluEpilogue E, int BN, bool Pair>
struct GeluTaker {
    static constexpr bool kSlope = E == GeluEpilogue::Slope;
    static constexpr int kParts = (kGroupRows + kTakers * kTakenAtOnce - 1) / (kTakers * kTakenAtOnce);

    const GeluParams &p;
    const GeluShared<BN> &s;
    int warp, lane;
    float sum[8] = {};

    __device__ bool has_columns() const { return lane < BN / 8; }
    // The rows of part `part` of a group's: a row of the tile, and whether it is one.
    __device__ int row_of(int group, int part, int i) const
    {
        return group * kGroupRows + (part * kTakenAtOnce + i) * kTakers + warp;
    }
    __device__ bool is_row(int part, int i) const
    {
        return (part * kTakenAtOnce + i) * kTakers + warp < kGroupRows;
    }
    // Where this lane's columns of the part's first row are in a matrix like c; its rows are row_step()
    // apart.
    __device__ __forceinline__ std::int64_t place(const GeluTile<BN, Pair> &tile, int group, int part) const
    {
        return static_cast<std::int64_t>(tile.row + row_of(group, part, 0)) * p.n + tile.column + lane * 8;
    }
    __device__ __forceinline__ std::int64_t row_step() const
    {
        return static_cast<std::int64_t>(kTakers) * p.n;
    }
    __device__ __forceinline__ bool is_stored(const GeluTile<BN, Pair> &tile, int group, int part,
                                              int i) const
    {
        return is_row(part, i) && tile.row + row_of(group, part, i) < p.m;
    }

    // z of a part, on its way before the product is there.
    __device__ __forceinline__ void load(uint4 (&z)[kTakenAtOnce], const GeluTile<BN, Pair> &tile, int group,
                                         int part) const
    {
        const T *from = static_cast<const T *>(p.at.z) + place(tile, group, part);
        const bool there = has_columns() && tile.there();
#pragma unroll
        for (int i = 0; i < kTakenAtOnce; ++i, from += row_step()) {
            z[i] = make_uint4(0, 0, 0, 0);
            if (there && is_stored(tile, group, part, i))
                z[i] = __ldg(reinterpret_cast<const uint4 *>(from));
        }
    }

    __device__ __forceinline__ void take(const uint4 (&z)[kTakenAtOnce], const GeluTile<BN, Pair> &tile,
                                         int group, int part)
    {
        if (!has_columns())
            return;
        constexpr int kStep = kTakers * GeluSizes<BN>::kPitch;
        const std::uint32_t from =
            shared_address(s.sums()) +
            static_cast<std::uint32_t>((group * kGroupRows + warp) * GeluSizes<BN>::kPitch + lane * 16);
        uint4 left[kTakenAtOnce];
#pragma unroll
        for (int i = 0; i < kTakenAtOnce; ++i) {
            left[i] = make_uint4(0, 0, 0, 0);
            if (is_row(part, i))
                left[i] = load_shared16(from + static_cast<std::uint32_t>((part * kTakenAtOnce + i) * kStep));
        }
        // Two rows without a branch between them hide each other's latency. What is no row adds zero to sums.
        std::int64_t at = place(tile, group, part);
#pragma unroll
        for (int i = 0; i < kTakenAtOnce && is_row(part, i); i += 2) {
            const uint4 made[2] = {apply_row(left[i], z[i]), apply_row(left[i + 1], z[i + 1])};
#pragma unroll
            for (int j = 0; j < 2; ++j, at += row_step()) {
                if (is_stored(tile, group, part, i + j))
                    store(at, made[j], left[i + j]);
            }
        }
    }

    __device__ __forceinline__ void store(std::int64_t at, const uint4 &made, const uint4 &left) const
    {
        *reinterpret_cast<uint4 *>(static_cast<T *>(p.at.c) + at) = made;
        if constexpr (!kSlope) // which is wanted in backward only: not to be kept in the cache
            __stcs(reinterpret_cast<uint4 *>(static_cast<T *>(p.at.z) + at), left);
    }

    // Eight columns.
    __device__ __forceinline__ uint4 apply_row(const uint4 &left, const uint4 &z)
    {
        const std::uint32_t lefts[4] = {left.x, left.y, left.z, left.w};
        const std::uint32_t zs[4] = {z.x, z.y, z.z, z.w};
        std::uint32_t made[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const float2 a = unpack_pair<T>(lefts[i]);
            const float2 b = unpack_pair<T>(zs[i]);
            float2 c;
            if constexpr (kSlope) {
                c = {apply<E>(b.x, a.x), apply<E>(b.y, a.y)};
                sum[2 * i] += c.x;
                sum[2 * i + 1] += c.y;
            } else {
                c = {apply<E>(a.x, 0.0F), apply<E>(a.y, 0.0F)};
            }
            made[i] = pack_pair<T>(c.x, c.y);
        }
        return make_uint4(made[0], made[1], made[2], made[3]);
    }

    // The warps' sums become the tile's.
    __device__ void write_sums(const GeluTile<BN, Pair> &tile)
    {
        float *to = s.column_sums() + warp * BN + lane * 8;
        if (has_columns()) {
            reinterpret_cast<float4 *>(to)[0] = make_float4(sum[0], sum[1], sum[2], sum[3]);
            reinterpret_cast<float4 *>(to)[1] = make_float4(sum[4], sum[5], sum[6], sum[7]);
        }
        takers_sync();
        for (int column = warp * 32 + lane; column < BN && tile.row < p.m; column += 32 * kTakers) {
            float total = 0.0F;
#pragma unroll
            for (int w = 0; w < kTakers; ++w)
                total += s.column_sums()[w * BN + column];
            p.at.partial[static_cast<std::int64_t>(tile.row / kRows) * p.n + tile.column + column] = total;
        }
        takers_sync();
#pragma unroll
        for (float &v : sum)
            v = 0.0F;
    }

    __device__ void run()
    {
        uint4 z[kTakenAtOnce] = {};
        GeluTile<BN, Pair> tile(p);
        if constexpr (kSlope)
            load(z, tile, 0, 0);
        for (int parity = 0; tile.there(); parity ^= 1) {
            GeluTile<BN, Pair> following = tile;
            following.advance();
#pragma unroll 1
            for (int at = 0; at < kGroups * kParts; ++at) {
                const int group = at / kParts;
                const int part = at % kParts;
                uint4 next[kTakenAtOnce] = {};
                if constexpr (kSlope) {
                    if (at + 1 < kGroups * kParts)
                        load(next, tile, (at + 1) / kParts, (at + 1) % kParts);
                    else
                        load(next, following, 0, 0);
                }
                if (part == 0)
                    barrier_wait(s.left(group), parity);
                take(z, tile, group, part);
                if (part == kParts - 1) {
                    __syncwarp();
                    if (lane == 0)
                        barrier_arrive(s.taken(group));
                }
#pragma unroll
                for (int i = 0; i < kTakenAtOnce; ++i)
                    z[i] = next[i];
            }
            if constexpr (kSlope)
                write_sums(tile);
            tile = following;
        }
    }
};

template <typename T, GeluEpilogue E, int BN, bool Pair>
__global__ void __launch_bounds__(kGeluThreads, 1)
    own_gelu_gemm_kernel(const __grid_constant__ GeluMaps maps, const __grid_constant__ GeluParams p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    using Sizes = GeluSizes<BN>;
    extern __shared__ std::uint8_t raw[];
    const GeluShared<BN> s{raw + (1024 - shared_address(raw) % 1024) % 1024};
    if (threadIdx.x == 0) {
        for (int i = 0; i < Sizes::kStages; ++i) {
            barrier_init(s.full(i), 1);
            barrier_init(s.empty(i), 4 * kGroups * (Pair ? 2 : 1)); // warps that read what one block copies
        }
        for (int i = 0; i < kGroups; ++i) {
            barrier_init(s.left(i), 4);
            barrier_init(s.taken(i), kTakers);
        }
        barrier_init(s.begun(), 4);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    __syncthreads();
    if constexpr (Pair)
        cluster_sync();
    const int group = static_cast<int>(threadIdx.x) / 128;
    const int warp = static_cast<int>(threadIdx.x) / 32 % 4;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (group < kGroups) {
        const GeluMultiplier<T, E, BN, Pair> multiplier{p, s, group, warp, lane};
        multiplier.run();
    } else if (warp < kTakers) {
        GeluTaker<T, E, BN, Pair> taker{p, s, warp, lane};
        taker.run();
    } else {
        if (lane == 0)
            copy_operands<E, BN, Pair>(maps, p, s);
        __syncwarp();
    }
    if constexpr (Pair)
        cluster_end(); // the other block may still arrive here
#endif
}

} // namespace

} // namespace sbtrain::cuda
