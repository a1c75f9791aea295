// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel of the own fp32 product. Three warpgroups a block, on a tile of 128 x BN. The first reads b,
// splits it and puts its three parts into shared memory, 32 of k a stage. The other two have 64 rows each:
// they read a straight into the registers that the tensor cores take it from, split it there, multiply, and
// add the sums of a stage to those of the stages before it. While one splits and adds, the other multiplies.
//
// Rows, columns and k may come in any order as long as all sides agree. Ours lets every thread read and write
// vectors of four:
// - k of a step (16): what the tensor cores take for columns 2 t, 2 t + 1, 2 t + 8, 2 t + 9 is 4 t to 4 t
// + 3.
// - columns of 16: likewise, and a thread ends with c's columns 4 t to 4 t + 3.
// - rows of a warp (16): r and r + 8 are 2 r and 2 r + 1.
//
// Included by own_split_gemm.cu only.

#include "own_split_gemm_factors.cuh"

namespace sbtrain::cuda {

namespace {

// The other two warpgroups' work. KMajor: a is stored (m, k).
template <int BN, bool KMajor>
struct Multiplier {
    static constexpr int kSteps = kDepth / 16;
    static constexpr int kQuads = BN / 8; // vectors of four of a thread's sums

    const SplitParams &p;
    int group, warp, lane;
    int offset[KMajor ? 2 : 1];
    float value[kSteps][2][4];          // [step][row][k] of a
    std::uint32_t a[kParts][kSteps][4]; // as the tensor cores take it
    float d[BN / 2];                    // a stage's sums
    float sum[BN / 2];

    __device__ Multiplier(const SplitParams &params)
        : p(params)
        , group(static_cast<int>(threadIdx.x) / 128 - 1)
        , warp(static_cast<int>(threadIdx.x) / 32 % 4)
        , lane(static_cast<int>(threadIdx.x) % 32)
    {
#pragma unroll
        for (float &value_of_d : d)
            value_of_d = 0.0F;
    }

    // The first of this thread's two rows of a tile.
    __device__ int own_row() const
    {
        return group * 64 + warp * 16 + lane / 4 * 2;
    }

    // As Splitter::aim().
    __device__ void aim(int row)
    {
        const int first = row + own_row();
        if constexpr (KMajor) {
            offset[0] = min(first, p.m - 1) * p.lda;
            offset[1] = min(first + 1, p.m - 1) * p.lda;
        } else {
            offset[0] = min(first, p.m - 2);
        }
    }

    __device__ __forceinline__ void load(int k, int limit)
    {
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            const int at = k + step * 16 + lane % 4 * 4;
            const bool wanted = at < limit;
            if constexpr (KMajor) {
#pragma unroll
                for (int row = 0; row < 2; ++row) {
                    const auto v = load_if<float4>(wanted, p.a + offset[row] + at);
                    value[step][row][0] = v.x;
                    value[step][row][1] = v.y;
                    value[step][row][2] = v.z;
                    value[step][row][3] = v.w;
                }
            } else {
#pragma unroll
                for (int i = 0; i < 4; ++i) {
                    const auto v =
                        load_if<float2>(wanted, p.a + static_cast<std::int64_t>(at + i) * p.lda + offset[0]);
                    value[step][0][i] = v.x;
                    value[step][1][i] = v.y;
                }
            }
        }
    }

    __device__ __forceinline__ void split_values()
    {
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const float *pair = value[step][i % 2] + i / 2 * 2;
                const SplitPair s = split(pair[0], pair[1]);
#pragma unroll
                for (int part = 0; part < kParts; ++part)
                    a[part][step][i] = s.part[part];
            }
        }
    }

    // d = this stage's sums, the smallest products first: what is cut off a small sum is small.
    __device__ __forceinline__ void multiply(const std::uint8_t *tile, int half)
    {
        const std::uint64_t b = tile_descriptor(tile) + 4 * half;
        constexpr std::uint64_t kPart = part_bytes(BN) / 16;
        product_fence();
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            product<__nv_bfloat16, BN>(d, a[2][step], b + 2 * step, step > 0);
            product<__nv_bfloat16, BN>(d, a[0][step], b + 2 * kPart + 2 * step, 1);
            product<__nv_bfloat16, BN>(d, a[1][step], b + kPart + 2 * step, 1);
        }
#pragma unroll
        for (int step = 0; step < kSteps; ++step) {
            product<__nv_bfloat16, BN>(d, a[1][step], b + 2 * step, 1);
            product<__nv_bfloat16, BN>(d, a[0][step], b + kPart + 2 * step, 1);
        }
#pragma unroll
        for (int step = 0; step < kSteps; ++step)
            product<__nv_bfloat16, BN>(d, a[0][step], b + 2 * step, 1);
        product_commit();
    }

    // Neither may d be read before this nor a be written.
    __device__ __forceinline__ void wait_for_product()
    {
        product_wait<0>();
#pragma unroll
        for (float &v : d)
            asm volatile("" : "+f"(v)::"memory");
#pragma unroll
        for (auto &part : a) {
#pragma unroll
            for (auto &step : part)
                asm volatile("" : "+r"(step[0]), "+r"(step[1]), "+r"(step[2]), "+r"(step[3])::"memory");
        }
    }

    // This thread's place in what block `block` leaves of a tile that another one finishes.
    __device__ float4 *part(int block) const
    {
        return p.parts + ((block * 2 + group) * kQuads * 128 + warp * 32 + lane);
    }
    __device__ bool leads() const
    {
        return warp == 0 && lane == 0;
    }
    __device__ void leave_part() const
    {
        const int block = static_cast<int>(blockIdx.x);
        float4 *to = part(block);
#pragma unroll
        for (int v = 0; v < kQuads; ++v)
            to[v * 128] = make_float4(sum[4 * v], sum[4 * v + 1], sum[4 * v + 2], sum[4 * v + 3]);
        __threadfence();
        warpgroup_sync(1 + group);
        if (leads())
            atomicExch(p.flags + block * 2 + group, 1);
    }
    // Block `block` has begun before this one, or will as soon as a block ends: it waits for nobody with a
    // lower number.
    __device__ void add_part(int block)
    {
        if (leads()) {
            while (atomicCAS(p.flags + block * 2 + group, 1, 0) != 1)
                __nanosleep(100);
            __threadfence();
        }
        warpgroup_sync(1 + group);
        const float4 *from = part(block);
#pragma unroll
        for (int v = 0; v < kQuads; ++v) {
            const float4 other = __ldcg(from + v * 128);
            sum[4 * v] += other.x;
            sum[4 * v + 1] += other.y;
            sum[4 * v + 2] += other.z;
            sum[4 * v + 3] += other.w;
        }
    }

    __device__ void finish(TilePlace place) const
    {
#pragma unroll
        for (int j = 0; j < BN / 16; ++j) {
            const int column = place.column + 16 * j + lane % 4 * 4;
            if (column >= p.n)
                continue;
            float4 bias = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
            if (p.bias != nullptr)
                bias = *reinterpret_cast<const float4 *>(p.bias + column);
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const int row = place.row + own_row() + i;
                if (row >= p.m)
                    continue;
                auto *to = reinterpret_cast<float4 *>(p.c + static_cast<std::int64_t>(row) * p.ldc + column);
                const float *s = sum + 8 * j + 2 * i;
                float4 v = make_float4(s[0] + bias.x, s[1] + bias.y, s[4] + bias.z, s[5] + bias.w);
                if (p.accumulate) {
                    const float4 old = *to;
                    v = make_float4(v.x + old.x, v.y + old.y, v.z + old.z, v.w + old.w);
                }
                *to = v;
            }
        }
    }

    // What other blocks did of the tile of this segment, which is its beginning, then to memory.
    __device__ void complete(const Deal &deal, const Segment &segment)
    {
        int have = segment.end;
        if (have < deal.stages) {
            const int end = deal.place(segment.tile, deal.stages);
            int at = deal.place(segment.tile, have);
            for (int other = static_cast<int>(blockIdx.x) + 1; at < end; ++other) {
                if (deal.share_end(other) > at) // some have nothing to do where there is little
                    add_part(other);
                at = deal.share_end(other);
            }
        }
        finish(TilePlace(p, BN, segment.tile));
    }

    __device__ void run(const std::uint8_t *tiles, std::uint64_t *full, std::uint64_t *empty)
    {
        Deal deal(p, BN);
        Segment segment;
        if (!deal.next(segment))
            return;
        aim(TilePlace(p, BN, segment.tile).row);
        load(segment.begin * kDepth, p.k);
        SplitSlot slot;
        for (bool more = true; more;) {
            Segment following;
            more = deal.next(following);
#pragma unroll
            for (float &v : sum)
                v = 0.0F;
            for (int stage = segment.begin; stage < segment.end; ++stage, slot.advance()) {
                split_values();
                int k = (stage + 1) * kDepth;
                int limit = p.k;
                if (stage + 1 == segment.end) {
                    k = following.begin * kDepth;
                    limit = more ? p.k : 0;
                    aim(TilePlace(p, BN, following.tile).row);
                }
                load(k, limit);
                barrier_wait(full + slot.index, slot.phase);
                multiply(tiles + slot.index / 2 * tile_bytes(BN), slot.index % 2);
                wait_for_product();
                if (lane == 0)
                    barrier_arrive(empty + slot.index);
#pragma unroll
                for (int i = 0; i < BN / 2; ++i)
                    sum[i] += d[i];
            }
            if (segment.begin > 0)
                leave_part();
            else
                complete(deal, segment);
            segment = following;
        }
    }
};

// AK, BK: a is stored (m, k), b is stored (n, k).
template <int BN, bool AK, bool BK>
__global__ void __launch_bounds__(kThreads, 1) own_split_gemm_kernel(const __grid_constant__ SplitParams p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    extern __shared__ std::uint8_t raw[];
    std::uint8_t *tiles = raw + (1024 - shared_address(raw) % 1024) % 1024;
    auto *full = reinterpret_cast<std::uint64_t *>(tiles + kSlots / 2 * tile_bytes(BN));
    std::uint64_t *empty = full + kSlots;
    if (threadIdx.x == 0) {
        for (int i = 0; i < kSlots; ++i) {
            barrier_init(full + i, 4);  // the splitting warps
            barrier_init(empty + i, 8); // the multiplying ones
        }
    }
    __syncthreads();
    if (threadIdx.x < 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 88;");
        Splitter<BN, BK>(p).run(tiles, full, empty);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 208;");
        Multiplier<BN, AK>(p).run(tiles, full, empty);
    }
#endif
}

} // namespace

} // namespace sbtrain::cuda
