// SPDX-License-Identifier: Apache-2.0
#pragma once

// The warpgroup of the own product that does GELU, its slope and the column sums, and writes the results.

#include "attention_tiles.cuh"
#include "gelu.cuh"
#include "own_gelu_gemm_tiles.cuh"

namespace sbtrain::cuda {

namespace {

constexpr int kTakenAtOnce = 8; // rows a warp

// Sixteen bytes, without a branch; zeros if not wanted.
__device__ __forceinline__ uint4 load_if(bool wanted, const void *from)
{
    uint4 v = make_uint4(0, 0, 0, 0);
    asm volatile("{\n.reg .pred wanted;\nsetp.ne.b32 wanted, %5, 0;\n"
                 "@wanted ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];\n}\n"
                 : "+r"(v.x), "+r"(v.y), "+r"(v.z), "+r"(v.w)
                 : "l"(from), "r"(static_cast<int>(wanted)));
    return v;
}

__device__ __forceinline__ void store_if(bool wanted, void *to, const uint4 &v)
{
    asm volatile("{\n.reg .pred wanted;\nsetp.ne.b32 wanted, %5, 0;\n"
                 "@wanted st.global.v4.u32 [%4], {%0, %1, %2, %3};\n}\n" ::"r"(v.x),
                 "r"(v.y), "r"(v.z), "r"(v.w), "l"(to), "r"(static_cast<int>(wanted))
                 : "memory");
}

// The same for what is wanted in backward only: not to be kept in the cache.
__device__ __forceinline__ void store_streaming_if(bool wanted, void *to, const uint4 &v)
{
    asm volatile("{\n.reg .pred wanted;\nsetp.ne.b32 wanted, %5, 0;\n"
                 "@wanted st.global.cs.v4.u32 [%4], {%0, %1, %2, %3};\n}\n" ::"r"(v.x),
                 "r"(v.y), "r"(v.z), "r"(v.w), "l"(to), "r"(static_cast<int>(wanted))
                 : "memory");
}

__device__ inline void takers_sync()
{
    threads_sync<32 * kTakers>(1);
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

// The warps that take what the others leave: a warp every kTakers-th row, a lane eight columns.
template <typename T, GeluEpilogue E, bool Pair>
struct GeluTaker {
    static constexpr bool kSlope = E == GeluEpilogue::Slope;
    static constexpr int kPartRows = kTakers * kTakenAtOnce;
    static constexpr int kParts = kRows / kPartRows;

    const GeluParams &p;
    const GeluShared &s;
    int warp, lane;
    float sum[8] = {};

    // Of a tile, for a part's row of this warp.
    __device__ int row_of(int part, int i) const { return part * kPartRows + i * kTakers + warp; }
    // Where this lane's columns of the part's first row are in a matrix like c; its rows are row_step()
    // apart.
    __device__ __forceinline__ std::int64_t place(const GeluTile<Pair> &tile, int part) const
    {
        return static_cast<std::int64_t>(tile.row + row_of(part, 0)) * p.n + tile.column + lane * 8;
    }
    __device__ __forceinline__ std::int64_t row_step() const
    {
        return static_cast<std::int64_t>(kTakers) * p.n;
    }

    // z of a part, on its way before the product is there.
    __device__ __forceinline__ void load(uint4 (&z)[kTakenAtOnce], const GeluTile<Pair> &tile, int part) const
    {
        const T *from = static_cast<const T *>(p.at.z) + place(tile, part);
        const int rows = tile.there() ? p.m - tile.row : 0;
#pragma unroll
        for (int i = 0; i < kTakenAtOnce; ++i, from += row_step())
            z[i] = load_if(row_of(part, i) < rows, from);
    }

    __device__ __forceinline__ void take(const uint4 (&z)[kTakenAtOnce], const GeluTile<Pair> &tile, int part)
    {
        constexpr int kTogether = 4; // rows without a branch between them hide each other's latency
        const std::uint32_t from =
            shared_address(s.sums()) + static_cast<std::uint32_t>(row_of(part, 0) * kPitch + lane * 16);
        std::int64_t at = place(tile, part);
#pragma unroll
        for (int i = 0; i < kTakenAtOnce; i += kTogether) {
            uint4 left[kTogether], made[kTogether];
#pragma unroll
            for (int j = 0; j < kTogether; ++j)
                left[j] = load_shared16(from + static_cast<std::uint32_t>((i + j) * kTakers * kPitch));
#pragma unroll
            for (int j = 0; j < kTogether; ++j)
                made[j] = apply_row(left[j], z[i + j]);
#pragma unroll
            for (int j = 0; j < kTogether; ++j, at += row_step()) {
                const bool there = tile.row + row_of(part, i + j) < p.m;
                store_if(there, static_cast<T *>(p.at.c) + at, made[j]);
                if constexpr (!kSlope)
                    store_streaming_if(there, static_cast<T *>(p.at.z) + at, left[j]);
            }
        }
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
            made[i] = pack2<T>(c.x, c.y);
        }
        return make_uint4(made[0], made[1], made[2], made[3]);
    }

    // The warps' sums become the tile's.
    __device__ void write_sums(const GeluTile<Pair> &tile)
    {
        float *to = s.column_sums() + warp * kColumns + lane * 8;
        reinterpret_cast<float4 *>(to)[0] = make_float4(sum[0], sum[1], sum[2], sum[3]);
        reinterpret_cast<float4 *>(to)[1] = make_float4(sum[4], sum[5], sum[6], sum[7]);
        takers_sync();
        for (int column = warp * 32 + lane; column < kColumns && tile.row < p.m; column += 32 * kTakers) {
            float total = 0.0F;
#pragma unroll
            for (int w = 0; w < kTakers; ++w)
                total += s.column_sums()[w * kColumns + column];
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
        GeluTile<Pair> tile(p);
        if constexpr (kSlope)
            load(z, tile, 0);
        for (int parity = 0; tile.there(); parity ^= 1) {
            GeluTile<Pair> following = tile;
            following.advance();
#pragma unroll 1
            for (int part = 0; part < kParts; ++part) {
                uint4 next[kTakenAtOnce] = {};
                if constexpr (kSlope) {
                    if (part + 1 < kParts)
                        load(next, tile, part + 1);
                    else
                        load(next, following, 0);
                }
                if (part == 0)
                    barrier_wait(s.left(0), parity);
                if (part == kParts / kGroups)
                    barrier_wait(s.left(1), parity);
                take(z, tile, part);
#pragma unroll
                for (int i = 0; i < kTakenAtOnce; ++i)
                    z[i] = next[i];
            }
            __syncwarp();
            if (lane == 0)
                barrier_arrive(s.taken());
            if constexpr (kSlope)
                write_sums(tile);
            tile = following;
        }
    }
};

} // namespace

} // namespace sbtrain::cuda
