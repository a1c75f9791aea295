// SPDX-License-Identifier: Apache-2.0
#pragma once

// Forward of own_attention_fp32.h: a block computes one head of one sequence, a warp 16 queries at a time,
// with k and v in shared memory and the rest in registers. Formulas are in cpu/attention.cpp; exponentials
// are of base 2, and what is kept of a row of scores is l = -log2(sum of 2^(c s)), c = log2(e) / 8, so that
// P = 2^(c s + l).

#include "dropout.cuh"
#include "own_attention_fp32.h"
#include "own_attention_fp32_tiles.cuh"

namespace sbtrain::cuda {

namespace {

constexpr float kHeadScale = 0.125F; // 1 / sqrt(64)
constexpr float kExponentScale = kHeadScale * 1.4426950408889634F;
constexpr int kTile = kTokens * kHead; // elements
constexpr int kForwardLanes = 128;
constexpr int kForwardBytes = 2 * kTile * 4;
constexpr int kKeysAtOnce = 32; // what lies behind a length is left out in steps of these

struct AttentionFp32Params {
    const float *qkv;
    float *y;
    float *stats;
    std::uint32_t *kept;
    const std::int32_t *lengths;
    const float *dy;
    float *dqkv;
    float *partial; // (n, 3, heads, 64): column sums of dqkv; null if not wanted
    int t, heads;
    DropoutSpec draw;
};

// Where the head of this block lies, in elements.
struct HeadPlace {
    std::int64_t qkv, y, row; // row: of (n, heads, t)
    int qkv_stride, y_stride;
    int length;

    __device__ explicit HeadPlace(const AttentionFp32Params &p)
    {
        const int block = block_id();
        const int sequence = block / p.heads;
        const int head = block % p.heads;
        y_stride = p.heads * kHead;
        qkv_stride = 3 * y_stride;
        const std::int64_t first = static_cast<std::int64_t>(sequence) * p.t;
        qkv = first * qkv_stride + head * kHead;
        y = first * y_stride + head * kHead;
        row = static_cast<std::int64_t>(block) * p.t;
        length = min(max(p.lengths[sequence], 1), p.t);
    }
};

// 16 queries of a warp; the lane's are rows `row` and row + 8.
template <Products P, bool DropOut>
struct Strip {
    const AttentionFp32Params &p;
    const HeadPlace &at;
    int row;
    float s[64]; // scores, then exponentials
    float sum[2];
    std::uint32_t kept[2];

    __device__ void scores(const LeftRows<P> &q, const float *k)
    {
        const ByRows by_rows;
#pragma unroll
        for (float &x : s)
            x = 0.0F;
#pragma unroll
        for (int key = 0; key < kTokens; key += kKeysAtOnce) {
            if (key < at.length)
                multiply_rows<P, kKeysAtOnce / 8>(s + key / 2, q, k, key, by_rows);
        }
    }

    // Less the largest; leaves the statistics.
    __device__ void exponentials()
    {
        const int column = lane_id() % 4 * 2;
        if (at.length < kTokens) {
#pragma unroll
            for (int i = 0; i < 64; ++i) {
                if (i / 4 * 8 + column + i % 2 >= at.length)
                    s[i] = -INFINITY;
            }
        }
        float best[2] = {s[0], s[2]};
#pragma unroll
        for (int i = 0; i < 64; ++i)
            best[i / 2 % 2] = fmaxf(best[i / 2 % 2], s[i]);
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            best[r] = fmaxf(best[r], __shfl_xor_sync(0xFFFFFFFFU, best[r], 1));
            best[r] = fmaxf(best[r], __shfl_xor_sync(0xFFFFFFFFU, best[r], 2)) * kExponentScale;
            sum[r] = 0.0F;
        }
#pragma unroll
        for (int i = 0; i < 64; ++i) {
            s[i] = power_of_two(fmaf(s[i], kExponentScale, -best[i / 2 % 2]));
            sum[i / 2 % 2] += s[i];
        }
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            sum[r] += __shfl_xor_sync(0xFFFFFFFFU, sum[r], 1);
            sum[r] += __shfl_xor_sync(0xFFFFFFFFU, sum[r], 2);
            if (lane_id() % 4 == 0 && row + 8 * r < p.t)
                p.stats[at.row + row + 8 * r] = -best[r] - log2f(sum[r]);
        }
    }

    // What dropout keeps, to memory as well. Before the scores: it takes time, and registers.
    __device__ void draw()
    {
        const DropoutMask mask = dropout_mask(p.draw);
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            kept[r] = kept_word(mask, at.row + row + 8 * r, p.t);
            if (row + 8 * r < p.t)
                p.kept[(at.row + row + 8 * r) * 4 + lane_id() % 4] = kept[r];
        }
    }

    __device__ void drop()
    {
#pragma unroll
        for (int i = 0; i < 64; ++i)
            s[i] = kept[i / 2 % 2] >> (i / 4 + i % 2 * 16) & 1U ? s[i] : 0.0F;
    }

    __device__ void write_output(const float *v) const
    {
        const Across across;
        float o[32];
#pragma unroll
        for (float &x : o)
            x = 0.0F;
#pragma unroll
        for (int key = 0; key < kTokens; key += kKeysAtOnce) {
            if (key >= at.length)
                break;
#pragma unroll
            for (int j = key / 8; j < (key + kKeysAtOnce) / 8; ++j) {
                const float *e = s + 4 * j;
                const LeftFragment<P> a(to_factor<P>(e[0]), to_factor<P>(e[2]), to_factor<P>(e[1]),
                                        to_factor<P>(e[3]));
                multiply_across<P>(o, a, v, 8 * j, across);
            }
        }
        const HeadPlace out(p); // anew: in registers all the time it would be too much
        const float scale = DropOut ? p.draw.rate.scale : 1.0F;
        write_rows(p.y + out.y, out.y_stride, row, p.t, o, {scale / sum[0], scale / sum[1]});
    }
};

// Blocks of a multiprocessor: split products take more registers.
template <Products P>
constexpr int kForwardBlocks = P == Products::Tf32 ? 3 : 2;

template <Products P, bool DropOut>
__global__ void __launch_bounds__(kForwardLanes, kForwardBlocks<P>)
    attention_fp32_forward_kernel(const AttentionFp32Params p)
{
    float *k = dynamic_shared();
    float *v = k + kTile;
    const HeadPlace at(p);
    copy_tile<kForwardLanes>(k, p.qkv + at.qkv + at.y_stride, at.qkv_stride, p.t);
    async_commit();
    copy_tile<kForwardLanes>(v, p.qkv + at.qkv + 2 * at.y_stride, at.qkv_stride, p.t);
    async_commit();
    const int strip_row = static_cast<int>(threadIdx.x) / 32 * 16;
#pragma unroll 1
    for (int first = 0; first < p.t; first += kForwardLanes / 2) {
        const bool busy = first + strip_row < p.t; // the whole warp
        Strip<P, DropOut> strip{p, at, first + strip_row + lane_id() / 4, {}, {}};
        LeftRows<P> q;
        q.load(p.qkv + at.qkv, at.qkv_stride, strip.row, p.t);
        if constexpr (DropOut)
            strip.draw();
        if (first == 0) {
            async_wait<1>();
            round_tile<kForwardLanes, P>(k);
            __syncthreads();
        }
        if (busy) {
            q.finish();
            strip.scores(q, k);
            strip.exponentials();
            if constexpr (DropOut)
                strip.drop();
        }
        if (first == 0) {
            async_wait<0>();
            round_tile<kForwardLanes, P>(v);
            __syncthreads();
        }
        if (busy)
            strip.write_output(v);
    }
}

} // namespace

} // namespace sbtrain::cuda
