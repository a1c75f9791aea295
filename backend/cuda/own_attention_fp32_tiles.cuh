// SPDX-License-Identifier: Apache-2.0
#pragma once

// Tiles and products of own_attention_fp32.h. A tile is 128 rows of fp32 in shared memory whose groups of
// four elements are swizzled, so that no access of a warp meets a bank twice:
//   by rows   a lane reads 16 bytes of row l / 4: the product sums over the tile's columns
//   across    a lane reads one element of rows 2 (l % 4) and 2 (l % 4) + 1: it sums over the tile's rows
// The order in which a product takes its k is free if both factors take the same: k = t and t + 4 of a
// lane's fragments stand for neighbours in memory. So sums, which lie in neighbours, are the left fragments
// of the next product as they are.
//
// Sums of a warp's 16 rows: d[4 j + 2 r + e] is row l / 4 + 8 r, column 8 j + 2 (l % 4) + e.

#include "tf32_instructions.cuh"

namespace sbtrain::cuda {

namespace {

constexpr int kTokens = 128; // rows of a tile
constexpr int kHead = 64;    // columns of one

enum class Products { Tf32, Split };

template <int Columns>
__device__ inline int tile_index(int row, int column)
{
    return row * Columns + (column ^ (((row ^ row >> 2) & 1) << 4 | (row & 2) << 2));
}

__device__ inline int lane_id()
{
    return static_cast<int>(threadIdx.x) % 32;
}

// As products take their factors: in tf32 rounded once and for all, otherwise as they are.
template <Products P>
__device__ inline float to_factor(float x)
{
    return P == Products::Tf32 ? round_tf32(x) : x;
}

// A number in two parts, for which integers take a third of what rounding by the instruction does. Of a nan
// big may be a number, but small is nan. Of small's 12 bits the tensor cores leave the last one out.
struct Parts {
    float big, small;
    __device__ explicit Parts(float x)
    {
        big = __uint_as_float((__float_as_uint(x) + 0x1000U) & 0xFFFFE000U);
        small = x - big;
    }
};

// A product's left factor, 16 rows by 8 of k, of to_factor's numbers.
template <Products P>
struct LeftFragment {
    float big[4];
    float small[4]; // unused in tf32

    __device__ LeftFragment(float a0, float a1, float a2, float a3)
        : big{a0, a1, a2, a3}
    {
        if constexpr (P == Products::Split) {
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const Parts parts(big[i]);
                big[i] = parts.big;
                small[i] = parts.small;
            }
        }
    }
};

// Columns 8 j and on of d; b of to_factor's numbers. The tensor cores cut their sums off where fp32 rounds,
// which in parts would be most of the error: there the large products alone are cut, eight at a time.
template <Products P>
__device__ inline void multiply_add(float *d, int j, const LeftFragment<P> &a, float b0, float b1)
{
    if constexpr (P == Products::Split) {
        const Parts low(b0);
        const Parts high(b1);
        float sum[4] = {0.0F, 0.0F, 0.0F, 0.0F};
        multiply_add_tf32(sum, a.small, low.big, high.big);
        multiply_add_tf32(sum, a.big, low.small, high.small);
        multiply_add_tf32(sum, a.big, low.big, high.big);
#pragma unroll
        for (int i = 0; i < 4; ++i)
            d[4 * j + i] += sum[i];
    } else {
        multiply_add_tf32(d + 4 * j, a.big, b0, b1);
    }
}

// 16 rows of a matrix as the left factor of a product over its 64 columns, for tiles read by rows. Of column
// 16 j + 4 t + i, at [4 j + i]: row g, row g + 8.
template <Products P>
struct LeftRows {
    float2 at[16];

    __device__ LeftFragment<P> fragment(int k) const // the k-th of 8 columns
    {
        return {at[2 * k].x, at[2 * k].y, at[2 * k + 1].x, at[2 * k + 1].y};
    }
    // Row `row` of memory is the lane's first; zeros from row `rows` on.
    __device__ void load(const float *from, int stride, int row, int rows)
    {
        const auto group = [&](int i, int column) {
            float4 x = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
            if (i < rows)
                x = *reinterpret_cast<const float4 *>(from + i * stride + column);
            return x;
        };
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int column = 16 * j + lane_id() % 4 * 4;
            set(j, group(row, column), group(row + 8, column));
        }
    }
    // Once loaded, and after something else to wait for.
    __device__ void finish()
    {
#pragma unroll
        for (float2 &x : at)
            x = {to_factor<P>(x.x), to_factor<P>(x.y)};
    }
    // From a tile that is rounded.
    __device__ void load_tile(const float *tile, int row)
    {
#pragma unroll
        for (int j = 0; j < 4; ++j) {
            const int column = 16 * j + lane_id() % 4 * 4;
            set(j, *reinterpret_cast<const float4 *>(tile + tile_index<kHead>(row, column)),
                *reinterpret_cast<const float4 *>(tile + tile_index<kHead>(row + 8, column)));
        }
    }

private:
    __device__ void set(int j, float4 low, float4 high)
    {
        at[4 * j] = {low.x, high.x};
        at[4 * j + 1] = {low.y, high.y};
        at[4 * j + 2] = {low.z, high.z};
        at[4 * j + 3] = {low.w, high.w};
    }
};

// Where a lane reads a tile of 64 columns by rows.
struct ByRows {
    int even, odd; // columns 16 j of even and of odd j
    __device__ ByRows()
        : even(tile_index<kHead>(lane_id() / 4, lane_id() % 4 * 4))
        , odd(tile_index<kHead>(lane_id() / 4, lane_id() % 4 * 4 + 16))
    {
    }
    // Rows `row` (a multiple of 8) and on, columns 16 j and on.
    __device__ float4 load(const float *tile, int row, int j) const
    {
        return *reinterpret_cast<const float4 *>(tile + (j % 2 == 0 ? even : odd) + row * kHead + j / 2 * 32);
    }
};

// Where a lane reads a tile of 64 columns across.
struct Across {
    int at[4]; // columns 8 j of j % 4
    __device__ Across()
    {
#pragma unroll
        for (int j = 0; j < 4; ++j)
            at[j] = tile_index<kHead>(lane_id() % 4 * 2, lane_id() / 4 + 8 * j);
    }
    // Rows `row` (a multiple of 8) and on, columns 8 j and on. The second row's swizzle differs in one bit.
    __device__ float2 load(const float *tile, int row, int j) const
    {
        const float *from = tile + row * kHead + j / 4 * 32;
        return {from[at[j % 4]], from[at[j % 4 ^ 2] + kHead]};
    }
};

// d (16, 8 N) += a (16, 64) b^T; b: rows `row` to row + 8 N - 1 of a tile.
template <Products P, int N>
__device__ inline void multiply_rows(float *d, const LeftRows<P> &a, const float *tile, int row,
                                     const ByRows &by_rows)
{
#pragma unroll
    for (int j = 0; j < 4; ++j) {
        const LeftFragment<P> first = a.fragment(2 * j);
        const LeftFragment<P> second = a.fragment(2 * j + 1);
        float4 b[N];
#pragma unroll
        for (int n = 0; n < N; ++n)
            b[n] = by_rows.load(tile, row + 8 * n, j);
#pragma unroll
        for (int n = 0; n < N; ++n)
            multiply_add<P>(d, n, first, b[n].x, b[n].y);
#pragma unroll
        for (int n = 0; n < N; ++n)
            multiply_add<P>(d, n, second, b[n].z, b[n].w);
    }
}

// d (16, 64) += a (16, 8) b; b: eight rows of a tile from `row` on.
template <Products P>
__device__ inline void multiply_across(float *d, const LeftFragment<P> &a, const float *tile, int row,
                                       const Across &across)
{
    float2 b[8];
#pragma unroll
    for (int j = 0; j < 8; ++j)
        b[j] = across.load(tile, row, j);
#pragma unroll
    for (int j = 0; j < 8; ++j)
        multiply_add<P>(d, j, a, b[j].x, b[j].y);
}

// Calls body(index in the tile, row, column) for each group of four elements that this thread copies.
template <int Threads, typename Body>
__device__ inline void for_own_groups(Body body)
{
    const int column = static_cast<int>(threadIdx.x) % 16 * 4;
#pragma unroll
    for (int i = 0; i < kTokens * 16 / Threads; ++i) {
        const int row = static_cast<int>(threadIdx.x) / 16 + i * (Threads / 16);
        body(tile_index<kHead>(row, column), row, column);
    }
}

// Rows before `rows` of a matrix whose rows are `stride` elements apart; zeros behind them.
template <int Threads>
__device__ inline void copy_tile(float *tile, const float *from, int stride, int rows)
{
    for_own_groups<Threads>([&](int index, int row, int column) {
        const bool wanted = row < rows;
        copy16_async(tile + index, from + (wanted ? row : 0) * stride + column, wanted);
    });
}

// What this thread copied has arrived: to tf32, as products want their right factor.
template <int Threads, Products P>
__device__ inline void round_tile(float *tile)
{
    if constexpr (P == Products::Tf32) {
        for_own_groups<Threads>([&](int index, int, int) {
            auto *at = reinterpret_cast<float4 *>(tile + index);
            const float4 x = *at;
            *at = make_float4(round_tf32(x.x), round_tf32(x.y), round_tf32(x.z), round_tf32(x.w));
        });
    }
}

// 16 rows of sums times a factor of each row; the lane's first row is `row`, and none is written from `rows`
// on.
__device__ inline void write_rows(float *to, int stride, int row, int rows, const float (&d)[32],
                                  float2 factor)
{
    float *out = to + row * stride + lane_id() % 4 * 2;
    if (row < rows) {
#pragma unroll
        for (int j = 0; j < 8; ++j)
            *reinterpret_cast<float2 *>(out + 8 * j) = {d[4 * j] * factor.x, d[4 * j + 1] * factor.x};
    }
    out += 8 * stride;
    if (row + 8 < rows) {
#pragma unroll
        for (int j = 0; j < 8; ++j)
            *reinterpret_cast<float2 *>(out + 8 * j) = {d[4 * j + 2] * factor.y, d[4 * j + 3] * factor.y};
    }
}

} // namespace

} // namespace sbtrain::cuda
