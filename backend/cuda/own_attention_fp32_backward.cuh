// SPDX-License-Identifier: Apache-2.0
#pragma once

// Backward of own_attention_fp32.h. A warp owns 16 keys and walks over the queries: scores and probabilities
// are transposed here (rows are keys), so that they are the left sides of dV = P^T dY and dK = dS^T Q as they
// lie in registers. dS^T goes to shared memory as well; after the last of it a warp makes dQ = dS K for 16
// queries. No sum crosses blocks.

#include "own_attention_fp32_kernel.cuh"

#include "fragment_sums.cuh"

namespace sbtrain::cuda {

namespace {

constexpr int kBackwardWarps = kTokens / 16;
constexpr int kBackwardLanes = kBackwardWarps * 32;
constexpr int kStatsIndex = 3 * kTile + kTokens * kTokens; // in elements, behind q, k, dy and dS^T
constexpr int kKeptIndex = kStatsIndex + 2 * kTokens;
constexpr int kBackwardBytes = (kKeptIndex + 4 * kTokens) * 4;
static_assert(kBackwardBytes <= 163 * 1024); // sm_80's limit

// Everything of a head that backward has in shared memory.
struct BackwardTiles {
    float *q, *k, *dy;
    float *ds;      // transposed: 128 keys by 128 queries
    float *l;       // of each query; -infinity behind the last
    float *minus_d; // -sum(dY Y)
    std::uint32_t *kept;
    float *sums; // of columns: of each warp, of dq, dk and dv; in the place of q

    __device__ BackwardTiles()
        : q(dynamic_shared())
        , k(q + kTile)
        , dy(k + kTile)
        , ds(dy + kTile)
        , l(q + kStatsIndex)
        , minus_d(l + kTokens)
        , kept(reinterpret_cast<std::uint32_t *>(q + kKeptIndex))
        , sums(q)
    {
    }
    // Part 0, 1, 2: q, k, v.
    __device__ void keep_sums(int part, const float (&d)[32], float factor) const
    {
        const float2 sum = column_sums(d);
        const int at = (static_cast<int>(threadIdx.x) / 32 * 3 + part) * kHead;
        *reinterpret_cast<float2 *>(sums + at + lane_id() * 2) = {sum.x * factor, sum.y * factor};
    }
};

template <bool DropOut>
__device__ inline void copy_backward(const AttentionFp32Params &p, const HeadPlace &at,
                                     const BackwardTiles &s)
{
    copy_tile<kBackwardLanes>(s.q, p.qkv + at.qkv, at.qkv_stride, p.t);
    copy_tile<kBackwardLanes>(s.k, p.qkv + at.qkv + at.y_stride, at.qkv_stride, p.t);
    copy_tile<kBackwardLanes>(s.dy, p.dy + at.y, at.y_stride, p.t);
    if constexpr (DropOut) {
        const int row = static_cast<int>(threadIdx.x);
        if (row < kTokens)
            copy16_async(s.kept + row * 4, p.kept + (at.row + (row < p.t ? row : 0)) * 4, row < p.t);
    }
    async_commit();
}

// What backward needs of each query, a thread a group of y's columns: read by the constructor, finished once
// dY is there. D is summed from dY as products take it, for then P (dP - D) cancels where it should.
struct QueryRows {
    static constexpr int kRows = kBackwardLanes / 16;
    static constexpr int kCount = kTokens / kRows;
    int first, group;
    float4 y[kCount];
    float l[kCount];

    __device__ QueryRows(const AttentionFp32Params &p, const HeadPlace &at)
        : first(static_cast<int>(threadIdx.x) / 16)
        , group(static_cast<int>(threadIdx.x) % 16)
    {
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            const int row = first + i * kRows;
            y[i] = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
            l[i] = -INFINITY;
            if (row < p.t) {
                y[i] = *reinterpret_cast<const float4 *>(p.y + at.y + row * at.y_stride + group * 4);
                l[i] = p.stats[at.row + row];
            }
        }
    }
    __device__ void finish(const BackwardTiles &s) const
    {
#pragma unroll
        for (int i = 0; i < kCount; ++i) {
            const int row = first + i * kRows;
            const float4 dy = *reinterpret_cast<const float4 *>(s.dy + tile_index<kHead>(row, group * 4));
            float d = fmaf(y[i].x, dy.x, fmaf(y[i].y, dy.y, fmaf(y[i].z, dy.z, y[i].w * dy.w)));
#pragma unroll
            for (int offset = 8; offset > 0; offset /= 2)
                d += __shfl_xor_sync(0xFFFFFFFFU, d, offset);
            if (group == 0) {
                s.l[row] = l[i];
                s.minus_d[row] = -d;
            }
        }
    }
};

// That a warp takes at a time: split products leave registers for fewer.
template <Products P>
constexpr int kQueries = P == Products::Tf32 ? 32 : 16;

// 16 keys by kQueries queries at a time; the lane's keys are `key` and key + 8.
template <Products P, bool DropOut>
struct KeyStrip {
    static constexpr int kColumns = kQueries<P> / 8;
    const BackwardTiles &s;
    float kept_factor;
    int key, length;
    float p[4 * kColumns], dp[4 * kColumns]; // P^T, dP^T and what becomes of them

    __device__ void clear()
    {
#pragma unroll
        for (int i = 0; i < 4 * kColumns; ++i) {
            p[i] = 0.0F;
            dp[i] = 0.0F;
        }
    }

    // Scores become dropout(P), dp becomes dS / scale, both as factors; 0 for keys behind the length.
    __device__ void gradients(int query)
    {
        const int word = key % 8 / 2;
        const int shift = key / 8 + key % 2 * 16;
#pragma unroll
        for (int i = 0; i < 4 * kColumns; ++i) {
            const int column = query + i / 4 * 8 + lane_id() % 4 * 2 + i % 2;
            const int r = i / 2 % 2;
            const bool valid = key + 8 * r < length;
            float factor = 1.0F;
            if constexpr (DropOut)
                factor = s.kept[column * 4 + word] >> (shift + r) & 1U ? kept_factor : 0.0F;
            const float probability = power_of_two(fmaf(p[i], kExponentScale, s.l[column]));
            const float ds = probability * fmaf(dp[i], factor, s.minus_d[column]);
            p[i] = valid ? to_factor<P>(probability * factor) : 0.0F;
            dp[i] = valid ? to_factor<P>(ds) : 0.0F;
        }
    }

    // Leaves dS^T for the other product.
    __device__ void keep_ds(int query) const
    {
#pragma unroll
        for (int i = 0; i < 2 * kColumns; ++i) {
            const int row = key + i % 2 * 8;
            const int column = query + i / 2 * 8 + lane_id() % 4 * 2;
            *reinterpret_cast<float2 *>(s.ds + tile_index<kTokens>(row, column)) = {dp[2 * i], dp[2 * i + 1]};
        }
    }

    // sums += left^T (as it lies here) tile.
    __device__ void add_gradient(float (&sums)[32], const float (&left)[4 * kColumns], const float *tile,
                                 int query, const Across &across) const
    {
#pragma unroll
        for (int j = 0; j < kColumns; ++j) {
            const float *x = left + 4 * j;
            multiply_across<P>(sums, LeftFragment<P>(x[0], x[2], x[1], x[3]), tile, query + 8 * j, across);
        }
    }
};

// dQ / scale of the warp's 16 queries, from `query` on.
template <Products P>
__device__ inline void multiply_ds(float (&dq)[32], const BackwardTiles &s, int query, int length,
                                   const Across &across)
{
    int at[2][2]; // key % 2, query / 8
#pragma unroll
    for (int i = 0; i < 4; ++i)
        at[i / 2][i % 2] = tile_index<kTokens>(lane_id() % 4 * 2 + i / 2, query + i % 2 * 8 + lane_id() / 4);
#pragma unroll
    for (int key = 0; key < kTokens; key += 16) { // what the warp of these keys has left
        if (key >= length)
            break;
#pragma unroll
        for (int k = key; k < key + 16; k += 8) {
            const float *ds = s.ds + k * kTokens;
            multiply_across<P>(dq, LeftFragment<P>(ds[at[0][0]], ds[at[0][1]], ds[at[1][0]], ds[at[1][1]]),
                               s.k, k, across);
        }
    }
}

// Adds the warps' sums up, in order.
__device__ inline void write_sums(const AttentionFp32Params &p, const BackwardTiles &s)
{
    const int at = static_cast<int>(threadIdx.x);
    if (at >= 3 * kHead)
        return;
    float sum = 0.0F;
#pragma unroll
    for (int warp = 0; warp < kBackwardWarps; ++warp)
        sum += s.sums[warp * 3 * kHead + at];
    const int block = static_cast<int>(blockIdx.x);
    const std::int64_t row = static_cast<std::int64_t>(block / p.heads) * 3 + at / kHead;
    p.partial[(row * p.heads + block % p.heads) * kHead + at % kHead] = sum;
}

template <Products P, bool DropOut>
__global__ void __launch_bounds__(kBackwardLanes, 1)
    attention_fp32_backward_kernel(const AttentionFp32Params p)
{
    const BackwardTiles s;
    const HeadPlace at(p);
    copy_backward<DropOut>(p, at, s);
    const int row = static_cast<int>(threadIdx.x) / 32 * 16; // the warp's first key, and query of dQ
    const int own = row + lane_id() / 4;
    LeftRows<P> k;
    LeftRows<P> v;
    if constexpr (P == Products::Tf32)
        v.load(p.qkv + at.qkv + 2 * at.y_stride, at.qkv_stride, own, p.t);
    const QueryRows rows(p, at);
    KeyStrip<P, DropOut> strip{s, p.draw.rate.scale, own, at.length, {}, {}};
    async_wait<0>();
    round_tile<kBackwardLanes, P>(s.q);
    round_tile<kBackwardLanes, P>(s.k);
    round_tile<kBackwardLanes, P>(s.dy);
    __syncthreads();
    rows.finish(s);
    __syncthreads(); // statistics
    if constexpr (P == Products::Tf32) {
        v.finish();
        k.load_tile(s.k, own);
    }
    const ByRows by_rows;
    const Across across;
    float dv[32];
    float dk[32];
    float dq[32];
#pragma unroll
    for (int i = 0; i < 32; ++i) {
        dv[i] = 0.0F;
        dk[i] = 0.0F;
    }
    if (row < at.length) { // the whole warp
#pragma unroll 1
        for (int query = 0; query < p.t; query += kQueries<P>) {
            if constexpr (P == Products::Split) {
                k.load_tile(s.k, own);
                v.load(p.qkv + at.qkv + 2 * at.y_stride, at.qkv_stride, own, p.t);
            }
            strip.clear();
            multiply_rows<P, kQueries<P> / 8>(strip.p, k, s.q, query, by_rows);
            multiply_rows<P, kQueries<P> / 8>(strip.dp, v, s.dy, query, by_rows);
            strip.gradients(query);
            strip.keep_ds(query);
            strip.add_gradient(dv, strip.p, s.dy, query, across);
            strip.add_gradient(dk, strip.dp, s.q, query, across);
        }
    }
    __syncthreads(); // dS is complete; nobody reads q and dy any more
#pragma unroll
    for (float &x : dq)
        x = 0.0F;
    if (row < p.t)
        multiply_ds<P>(dq, s, row, at.length, across);
    float *to = p.dqkv + at.qkv;
    write_rows(to + 2 * at.y_stride, at.qkv_stride, own, p.t, dv, {1.0F, 1.0F});
    write_rows(to + at.y_stride, at.qkv_stride, own, p.t, dk, {kHeadScale, kHeadScale});
    write_rows(to, at.qkv_stride, own, p.t, dq, {kHeadScale, kHeadScale});
    if (p.partial == nullptr)
        return;
    s.keep_sums(2, dv, 1.0F);
    s.keep_sums(1, dk, kHeadScale);
    s.keep_sums(0, dq, kHeadScale);
    __syncthreads();
    write_sums(p, s);
}

} // namespace

} // namespace sbtrain::cuda
