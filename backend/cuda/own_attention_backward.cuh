// SPDX-License-Identifier: Apache-2.0
#pragma once

// Backward of own_attention.h. Two groups of four warps own 64 keys each and walk over the queries: scores
// and probabilities are transposed here (rows are keys), so that they are the left sides of dV = P^T dY and
// dK = dS^T Q as they lie in registers. dS^T goes to shared memory as well; after the last of it each group
// makes dQ = dS K for 64 queries. No sum crosses blocks.

#include "own_attention_kernel.cuh"

namespace sbtrain::cuda {

namespace {

// Dot product of eight elements of 16 bit.
template <typename T>
__device__ inline float dot8(const uint4 &a, const uint4 &b)
{
    const Float8 x = unpack8<T>(a);
    const Float8 y = unpack8<T>(b);
    float sum = 0.0F;
#pragma unroll
    for (int i = 0; i < 8; ++i)
        sum = fmaf(x.v[i], y.v[i], sum);
    return sum;
}

// Everything of a head that backward has in shared memory.
struct BackwardShared {
    std::uint32_t q, k, v, dy;
    std::uint32_t ds; // two halves: 128 keys by 64 queries each
    float *l;         // of each query; -infinity behind the last
    float *minus_d;   // -sum(dY Y)
    std::uint32_t *kept;
    float *sums; // of columns: of each warp, of dq, dk and dv

    __device__ explicit BackwardShared(unsigned char *shared)
    {
        q = first_tile(shared);
        k = q + kTileBytes;
        v = k + kTileBytes;
        dy = v + kTileBytes;
        ds = dy + kTileBytes;
        unsigned char *base = shared + (q - shared_address(shared));
        l = reinterpret_cast<float *>(base + kStatsAt);
        minus_d = l + kTileRows;
        kept = reinterpret_cast<std::uint32_t *>(base + kKeptAt);
        sums = reinterpret_cast<float *>(base + kSumsAt);
    }
    // Part 0, 1, 2: q, k, v.
    __device__ void keep_sums(int part, const float (&d)[32], float factor) const
    {
        const float2 sum = column_sums(d);
        const int at = (static_cast<int>(threadIdx.x) / 32 * 3 + part) * kHeadWidth;
        *reinterpret_cast<float2 *>(sums + at + threadIdx.x % 32 * 2) = {sum.x * factor, sum.y * factor};
    }
};

// Sets off everything that comes in as it is: q and k first.
template <typename T, bool DropOut>
__device__ inline void load_backward(const AttentionParams<T> &p, const HeadAt &at, const BackwardShared &s)
{
    load_tile<kBackwardThreads>(s.q, p.qkv + at.qkv, at.qkv_stride, p.t);
    load_tile<kBackwardThreads>(s.k, p.qkv + at.qkv + at.y_stride, at.qkv_stride, p.t);
    copies_commit();
    load_tile<kBackwardThreads>(s.v, p.qkv + at.qkv + 2 * at.y_stride, at.qkv_stride, p.t);
    load_tile<kBackwardThreads>(s.dy, p.dy + at.y, at.y_stride, p.t);
    if constexpr (DropOut) {
        const int row = static_cast<int>(threadIdx.x);
        if (row < kTileRows)
            copy16(shared_address(s.kept + row * 4), p.kept + (at.row + (row < p.t ? row : 0)) * 4,
                   row < p.t);
    }
    copies_commit();
}

// What backward needs of each query, eight threads a row: read by the constructor, finished once dY is there.
template <typename T>
struct QueryStats {
    static constexpr int kRows = kBackwardThreads / 8;
    static constexpr int kCount = kTileRows / kRows;
    int first, group;
    uint4 y[kCount];
    float l[kCount];

    __device__ QueryStats(const AttentionParams<T> &p, const HeadAt &at)
        : first(static_cast<int>(threadIdx.x) / 8)
        , group(static_cast<int>(threadIdx.x) % 8)
    {
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            const int row = first + i * kRows;
            y[i] = {0, 0, 0, 0};
            l[i] = -INFINITY;
            if (row < p.t) {
                y[i] = *reinterpret_cast<const uint4 *>(p.y + at.y + row * at.y_stride + group * 8);
                l[i] = p.stats[at.row + row];
            }
        }
    }
    __device__ void finish(const BackwardShared &s) const
    {
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            const int row = first + i * kRows;
            float d = dot8<T>(y[i], load_shared16(tile_address(s.dy, row, group)));
#pragma unroll
            for (int offset = 4; offset > 0; offset /= 2)
                d += __shfl_xor_sync(0xFFFFFFFFU, d, offset);
            if (group == 0) {
                s.l[row] = l[i];
                s.minus_d[row] = -d;
            }
        }
    }
};

// Of one group of warps: 64 keys by 32 queries at a time.
template <typename T, bool DropOut>
struct BackwardTile {
    const BackwardShared &s;
    float kept_factor;
    int keys; // the group's first key
    int key;  // the lane's first key: this and key + 8
    bool valid[2];
    float p[16], dp[16];              // P^T, dP^T and what becomes of them
    std::uint32_t pf[2][4], df[2][4]; // (dropped P)^T and dS^T / scale, packed

    __device__ void issue_scores(int query)
    {
        product_fence();
#pragma unroll
        for (int i = 0; i < 4; ++i)
            product_rows<T>(p, descriptor(s.k + keys * 128) + i * kSixteenColumns,
                            descriptor(s.q + query * 128) + i * kSixteenColumns, i > 0);
        product_commit();
    }

    __device__ void issue_dropped(int query)
    {
        product_fence();
#pragma unroll
        for (int i = 0; i < 4; ++i)
            product_rows<T>(dp, descriptor(s.v + keys * 128) + i * kSixteenColumns,
                            descriptor(s.dy + query * 128) + i * kSixteenColumns, i > 0);
        product_commit();
    }

    __device__ void exponentials(int query)
    {
#pragma unroll
        for (int j = 0; j < kQueries / 8; ++j) {
            const float2 l = *reinterpret_cast<const float2 *>(s.l + query + 8 * j + threadIdx.x % 4 * 2);
#pragma unroll
            for (int i = 0; i < 4; ++i)
                p[4 * j + i] = exp2_fast(fmaf(p[4 * j + i], kLog2Scale, i % 2 == 0 ? l.x : l.y));
        }
    }

    // p becomes dropout(P), dp dS / scale.
    __device__ void gradients(int query)
    {
        const int word = key % 8 / 2;
        const int shift = key / 16 * 2 + key % 2 * 16;
#pragma unroll
        for (int j = 0; j < kQueries / 8; ++j) {
            const int column = query + 8 * j + static_cast<int>(threadIdx.x) % 4 * 2;
            const float2 minus_d = *reinterpret_cast<const float2 *>(s.minus_d + column);
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                float factor[2] = {1.0F, 1.0F};
                if constexpr (DropOut) {
                    const std::uint32_t bits = s.kept[(column + e) * 4 + word] >> shift;
                    factor[0] = bits & 1U ? kept_factor : 0.0F;
                    factor[1] = bits & 2U ? kept_factor : 0.0F;
                }
#pragma unroll
                for (int r = 0; r < 2; ++r) {
                    const int i = 4 * j + 2 * r + e;
                    dp[i] = p[i] * fmaf(dp[i], factor[r], e == 0 ? minus_d.x : minus_d.y);
                    if constexpr (DropOut)
                        p[i] *= factor[r];
                }
            }
        }
    }

    // Packs, without what belongs to keys behind the length, and leaves dS^T for the other product.
    __device__ void pack_all(int query)
    {
        pack<T>(p, pf);
        pack<T>(dp, df);
        const int lane = static_cast<int>(threadIdx.x % 32);
        const int first = key - lane / 4;
        const std::uint32_t half = s.ds + static_cast<std::uint32_t>(query / 64 * kHalfBytes);
#pragma unroll
        for (int j = 0; j < 2; ++j) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                pf[j][i] = valid[i % 2] ? pf[j][i] : 0U;
                df[j][i] = valid[i % 2] ? df[j][i] : 0U;
            }
            store_block(tile_address(half, first + lane % 16, query % 64 / 8 + 2 * j + lane / 16), df[j]);
        }
    }

    __device__ void issue_gradients(int query, float (&dv)[32], float (&dk)[32])
    {
        pin(pf);
        pin(df);
        product_fence();
#pragma unroll
        for (int j = 0; j < 2; ++j) {
            const std::uint64_t rows = (query / 16 + j) * kSixteenRows;
            product_across<T>(dv, pf[j], descriptor(s.dy) + rows, query + j > 0);
            product_across<T>(dk, df[j], descriptor(s.q) + rows, query + j > 0);
        }
        product_commit();
    }
};

// Adds the warps' sums up, in order.
template <typename T>
__device__ inline void write_sums(const AttentionParams<T> &p, const BackwardShared &s)
{
    const int at = static_cast<int>(threadIdx.x);
    if (at >= 3 * kHeadWidth)
        return;
    float sum = 0.0F;
#pragma unroll
    for (int warp = 0; warp < kBackwardThreads / 32; ++warp)
        sum += s.sums[warp * 3 * kHeadWidth + at];
    const int block = static_cast<int>(blockIdx.x);
    const std::int64_t row = block / p.heads * 3 + at / kHeadWidth;
    p.partial[(row * p.heads + block % p.heads) * kHeadWidth + at % kHeadWidth] = sum;
}

template <typename T, bool DropOut>
__global__ void __launch_bounds__(kBackwardThreads, 2)
    attention_backward_kernel(const __grid_constant__ AttentionParams<T> p)
{
    extern __shared__ unsigned char shared[];
    const BackwardShared s(shared);
    const HeadAt at(p);
    load_backward<T, DropOut>(p, at, s);
    const QueryStats<T> stats(p, at);
    copies_arrive<1>();
    const int lane = static_cast<int>(threadIdx.x % 32);
    const int keys = __shfl_sync(0xFFFFFFFFU, static_cast<int>(threadIdx.x) / 128, 0) * 64; // same in a warp
    const int row = static_cast<int>(threadIdx.x) / 32 * 16; // the warp's first key, and query of dQ
    const int key = row + lane / 4;
    BackwardTile<T, DropOut> tile{s, p.draw.rate.scale, keys, key, {key < at.length, key + 8 < at.length}};
    float dv[32];
    float dk[32];
    tile.issue_scores(0);
    copies_arrive<0>();
    stats.finish(s);
    __syncthreads(); // statistics
#pragma unroll
    for (int query = 0; query < kTileRows; query += kQueries) {
        tile.issue_dropped(query);
        product_wait<1>(); // scores
        pin(tile.p);
        tile.exponentials(query);
        product_wait<0>();
        pin(tile.dp);
        tile.gradients(query);
        tile.pack_all(query);
        tile.issue_gradients(query, dv, dk);
        if (query + kQueries < kTileRows) {
            tile.issue_scores(query + kQueries);
            product_wait<1>(); // what was issued before them: its fragments are free
        }
    }
    product_wait<0>();
    pin(dv);
    pin(dk);
    fence_for_copies();
    __syncthreads(); // dS is complete; nobody reads q, v and dy any more
    float dq[32];
    product_fence();
#pragma unroll
    for (int i = 0; i < 8; ++i)
        product_both_across<T>(dq, descriptor(s.ds + keys / 64 * kHalfBytes) + i * kSixteenRows,
                               descriptor(s.k) + i * kSixteenRows, i > 0);
    product_commit();
    const HeadAt out(p); // anew: in registers all the time it would be too much
    T *to = p.dqkv + out.qkv;
    const bool sums = p.partial != nullptr;
    if (sums)
        s.keep_sums(2, dv, 1.0F);
    store_rows<T>({s.v, row, p.t, out.qkv_stride}, dv, {1.0F, 1.0F}, to + 2 * out.y_stride);
    if (sums)
        s.keep_sums(1, dk, kScale);
    store_rows<T>({s.q, row, p.t, out.qkv_stride}, dk, {kScale, kScale}, to + out.y_stride);
    product_wait<0>();
    pin(dq);
    if (sums)
        s.keep_sums(0, dq, kScale);
    store_rows<T>({s.dy, row, p.t, out.qkv_stride}, dq, {kScale, kScale}, to);
    if (!sums)
        return;
    __syncthreads();
    write_sums(p, s);
}

} // namespace

} // namespace sbtrain::cuda
