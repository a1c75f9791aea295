// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernels of own_attention.h. Formulas are in cpu/attention.cpp; exponentials are of base 2, and what is
// kept of a row of scores is l = -log2(sum of 2^(c s)), c = log2(e) / 8, so that P = 2^(c s + l).

#include "attention_tiles.cuh"
#include "dropout.cuh"
#include "own_attention.h"

namespace sbtrain::cuda {

namespace {

constexpr int kHeadWidth = 64;
constexpr float kScale = 0.125F; // 1 / sqrt(64)
constexpr float kLog2Scale = kScale * 1.4426950408889634F;
constexpr int kForwardThreads = 128;
constexpr int kBackwardThreads = 256;
constexpr int kForwardShared = 1024 + 3 * kTileBytes; // 1024: to begin at a multiple of it
constexpr int kQueries = 32;                          // that backward takes at a time
constexpr int kHalfBytes = kTileBytes;                // 128 keys by 64 queries
constexpr int kStatsAt = 4 * kTileBytes + 2 * kHalfBytes;
constexpr int kKeptAt = kStatsAt + 2 * kTileRows * 4;
constexpr int kSumsAt = kKeptAt + kTileRows * 16; // 3 * 64 column sums of each warp
constexpr int kBackwardShared = 1024 + kSumsAt + kBackwardThreads / 32 * 3 * kHeadWidth * 4;

template <typename T>
struct AttentionParams {
    const T *qkv;
    T *y;
    float *stats;
    std::uint32_t *kept;
    const std::int32_t *lengths;
    const T *dy;
    T *dqkv;
    float *partial; // (n, 3, heads, 64): column sums of dqkv; null if not wanted
    int t, heads;
    DropoutSpec draw;
};

// Where the head of this block lies, in elements.
struct HeadAt {
    std::int64_t qkv, y, row; // row: of (n, heads, t)
    int qkv_stride, y_stride;
    int length;

    template <typename T>
    __device__ explicit HeadAt(const AttentionParams<T> &p)
    {
        int block = 0;
        asm volatile("mov.u32 %0, %%ctaid.x;" : "=r"(block)); // volatile: not kept from an earlier use
        const int sequence = block / p.heads;
        const int head = block % p.heads;
        y_stride = p.heads * kHeadWidth;
        qkv_stride = 3 * y_stride;
        const std::int64_t first = static_cast<std::int64_t>(sequence) * p.t;
        qkv = first * qkv_stride + head * kHeadWidth;
        y = first * y_stride + head * kHeadWidth;
        row = static_cast<std::int64_t>(block) * p.t;
        length = min(max(p.lengths[sequence], 1), p.t);
    }
};

__device__ inline std::uint32_t first_tile(const void *shared)
{
    return (shared_address(shared) + 1023U) & ~1023U;
}

// Rows l / 4 and l / 4 + 8 of a warp's scores: exponentials in place, less the largest. Returns their sums;
// l becomes what the head comment says.
__device__ inline float2 exponentials(float (&s)[64], int length, float2 &l)
{
    const int column = static_cast<int>(threadIdx.x) % 4 * 2;
    if (length < kTileRows) {
#pragma unroll
        for (int i = 0; i < 64; ++i) {
            if (i / 4 * 8 + column + i % 2 >= length)
                s[i] = -INFINITY;
        }
    }
    float best[2] = {s[0], s[2]};
#pragma unroll
    for (int i = 0; i < 64; ++i)
        best[i / 2 % 2] = fmaxf(best[i / 2 % 2], s[i]);
    float sum[2] = {0.0F, 0.0F};
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        best[r] = fmaxf(best[r], __shfl_xor_sync(0xFFFFFFFFU, best[r], 1));
        best[r] = fmaxf(best[r], __shfl_xor_sync(0xFFFFFFFFU, best[r], 2)) * kLog2Scale;
    }
#pragma unroll
    for (int i = 0; i < 64; ++i) {
        s[i] = exp2_fast(fmaf(s[i], kLog2Scale, -best[i / 2 % 2]));
        sum[i / 2 % 2] += s[i];
    }
#pragma unroll
    for (int r = 0; r < 2; ++r) {
        sum[r] += __shfl_xor_sync(0xFFFFFFFFU, sum[r], 1);
        sum[r] += __shfl_xor_sync(0xFFFFFFFFU, sum[r], 2);
    }
    l = {-best[0] - __log2f(sum[0]), -best[1] - __log2f(sum[1])};
    return {sum[0], sum[1]};
}

// The sign bits of bytes 1 and 3 (or 0 and 2) all over the halves.
template <std::uint32_t Bytes>
__device__ inline std::uint32_t spread(std::uint32_t bits)
{
    std::uint32_t mask = 0;
    asm("prmt.b32 %0, %1, 0, %2;" : "=r"(mask) : "r"(bits), "n"(Bytes));
    return mask;
}

// Zeroes what is not kept of a warp's packed exponentials: keys 8 j and on in f[j / 2][r + j % 2 * 2].
__device__ inline void drop(std::uint32_t (&f)[8][4], const std::uint32_t (&kept)[2])
{
#pragma unroll
    for (int i = 0; i < 16; ++i) {
        const int r = i % 2;
        const int j = i / 2;
        const std::uint32_t bits = kept[r] << (7 - j);
        f[j / 2][r + j % 2 * 2] &= spread<0xAA88>(bits);
        f[j / 2 + 4][r + j % 2 * 2] &= spread<0xBB99>(bits);
    }
}

// Packs neighbouring fragments to those of the next product's left side.
template <typename T, int N>
__device__ inline void pack(const float (&s)[8 * N], std::uint32_t (&f)[N][4])
{
#pragma unroll
    for (int j = 0; j < N; ++j) {
#pragma unroll
        for (int i = 0; i < 4; ++i)
            f[j][i] = pack2<T>(s[8 * j + 2 * i], s[8 * j + 2 * i + 1]);
    }
}

// Loads in the order of need: q and k, v.
template <typename T>
__device__ inline void load_forward(const AttentionParams<T> &p, const HeadAt &at, std::uint32_t q)
{
    load_tile<kForwardThreads>(q, p.qkv + at.qkv, at.qkv_stride, p.t);
    load_tile<kForwardThreads>(q + kTileBytes, p.qkv + at.qkv + at.y_stride, at.qkv_stride, p.t);
    copies_commit();
    load_tile<kForwardThreads>(q + 2 * kTileBytes, p.qkv + at.qkv + 2 * at.y_stride, at.qkv_stride, p.t);
    copies_commit();
}

template <typename T, bool DropOut>
__global__ void __launch_bounds__(kForwardThreads, 4)
    attention_forward_kernel(const __grid_constant__ AttentionParams<T> p)
{
    extern __shared__ unsigned char shared[];
    const std::uint32_t q = first_tile(shared);
    const std::uint32_t k = q + kTileBytes;
    const std::uint32_t v = k + kTileBytes;
    const HeadAt at(p);
    load_forward(p, at, q);
    const int lane = static_cast<int>(threadIdx.x % 32);
    DropoutMask mask;
    if constexpr (DropOut)
        mask = dropout_mask(p.draw);
    copies_arrive<1>();
#pragma unroll 1
    for (int first = 0; first < p.t; first += 64) {
        float s[64];
        product_fence();
#pragma unroll
        for (int i = 0; i < 4; ++i)
            product<T, kTileRows>(s, descriptor(q + first * 128) + i * kSixteenColumns,
                                  descriptor(k) + i * kSixteenColumns, i > 0);
        product_commit();
        const int row = first + static_cast<int>(threadIdx.x) / 32 * 16;
        const int own = row + lane / 4; // and own + 8
        std::uint32_t kept[2];
        if constexpr (DropOut) { // while the scores are on their way
#pragma unroll
            for (int r = 0; r < 2; ++r) {
                kept[r] = kept_word(mask, at.row + own + 8 * r, p.t);
                if (own + 8 * r < p.t)
                    p.kept[(at.row + own + 8 * r) * 4 + lane % 4] = kept[r];
            }
        }
        product_wait<0>();
        pin(s);
        float2 l;
        const float2 sum = exponentials(s, at.length, l);
        std::uint32_t f[8][4];
        pack<T>(s, f);
        if constexpr (DropOut)
            drop(f, kept);
        if (lane % 4 == 0 && own < p.t)
            p.stats[at.row + own] = l.x;
        if (lane % 4 == 0 && own + 8 < p.t)
            p.stats[at.row + own + 8] = l.y;
        if (first == 0)
            copies_arrive<0>();
        float o[32];
        pin(f);
        product_fence();
#pragma unroll
        for (int i = 0; i < 8; ++i)
            product_across<T>(o, f[i], descriptor(v) + i * kSixteenRows, i > 0);
        product_commit();
        product_wait<0>();
        pin(o);
        __syncthreads(); // all have read these rows of q
        const float scale = DropOut ? p.draw.rate.scale : 1.0F;
        const float factor[2] = {scale / sum.x, scale / sum.y};
        store_rows<T>({q, row, p.t, at.y_stride}, o, factor, p.y + at.y);
    }
}

} // namespace

} // namespace sbtrain::cuda
