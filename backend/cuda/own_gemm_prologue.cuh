// SPDX-License-Identifier: Apache-2.0
#pragma once

// The prologues of the own matrix product, which make a from what was copied into a stage, x and another
// matrix, and from per-channel vectors. One group makes a in the place of x, one thread stores it. In tf32
// that is the rounded factor; a as it is stored takes the place of the other matrix.
//
//   full (copied) -> make_factor() -> ready -> product and store_made() -> empty
//
// Included by own_gemm_kernel.cuh and own_gemm_tf32.cuh only.

#include "bn_formulas.cuh"
#include "own_gemm_tiles.cuh"

namespace sbtrain::cuda {

namespace {

template <typename T>
__device__ float2 unpack2(std::uint32_t raw)
{
    if constexpr (std::is_same_v<T, __half>)
        return __half22float2(*reinterpret_cast<const __half2 *>(&raw));
    else
        return __bfloat1622float2(*reinterpret_cast<const __nv_bfloat162 *>(&raw));
}

template <typename T>
__device__ std::uint32_t pack2(float first, float second)
{
    if constexpr (std::is_same_v<T, __half>) {
        const __half2 both = __floats2half2_rn(first, second);
        return *reinterpret_cast<const std::uint32_t *>(&both);
    } else {
        const __nv_bfloat162 both = __floats2bfloat162_rn(first, second);
        return *reinterpret_cast<const std::uint32_t *>(&both);
    }
}

template <typename T>
constexpr int kChunk = 16 / static_cast<int>(sizeof(T)); // channels a thread makes at a time

// What batch norm knows of a chunk of channels.
template <typename T, Prologue P>
struct Channels {
    static constexpr int kVectors = P == Prologue::Apply ? 3 : 2;
    alignas(16) float v[kVectors][kChunk<T>];

    __device__ Channels(const OwnGemmSources &sources, int first)
    {
#pragma unroll
        for (int i = 0; i < kVectors; ++i) {
            const auto *from = reinterpret_cast<const float4 *>(sources.vectors[i] + first);
#pragma unroll
            for (int part = 0; part < kChunk<T> / 4; ++part)
                reinterpret_cast<float4 *>(v[i])[part] = from[part];
        }
    }

    // The c-th channel. Sets a bit where the value is positive.
    __device__ float make(int c, float x, float other, unsigned &bits) const
    {
        if constexpr (P == Prologue::Apply)
            return bn_gradient(v[0][c], other, v[1][c], x, v[2][c]);
        const float value = bn_value(v[0][c], x, v[1][c], other);
        bits |= value > 0.0F ? 1U << c : 0U;
        return value > 0.0F ? value : 0.0F;
    }
};

// A chunk of one row: x becomes the factor; in tf32 other becomes a. Returns the bits.
template <typename T, Prologue P>
__device__ std::uint64_t make_chunk(uint4 &x, uint4 &other, const Channels<T, P> &channels)
{
    auto *word = reinterpret_cast<std::uint32_t *>(&x);
    auto *other_word = reinterpret_cast<std::uint32_t *>(&other);
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        if constexpr (sizeof(T) == 4) {
            const float a = channels.make(i, __uint_as_float(word[i]), __uint_as_float(other_word[i]), bits);
            other_word[i] = __float_as_uint(a);
            word[i] = __float_as_uint(round_to_tf32(a));
        } else {
            const float2 in = unpack2<T>(word[i]), more = unpack2<T>(other_word[i]);
            const float first = channels.make(2 * i, in.x, more.x, bits);
            word[i] = pack2<T>(first, channels.make(2 * i + 1, in.y, more.y, bits));
        }
    }
    return bits;
}

// The bits of this thread's chunks, kStep rows apart. `to`: of the first. In tf32 two threads have half a
// byte each, of which the first writes both.
template <typename T, int kStep>
__device__ void write_bits(std::uint8_t *to, std::int64_t row_bytes, std::uint64_t bits, int rows)
{
    constexpr bool kHalves = sizeof(T) == 4;
    if constexpr (kHalves) {
        bits |= static_cast<std::uint64_t>(__shfl_xor_sync(0xFFFFFFFFU, static_cast<unsigned>(bits), 1))
                << 32;
        if (threadIdx.x % 2 == 1)
            return;
    }
#pragma unroll 1 // or the addresses take registers that the rows need
    for (int row = 0; row < rows; row += kStep) {
        *to = static_cast<std::uint8_t>(kHalves ? (bits & 15) | (bits >> 28 & 0xF0) : bits);
        bits >>= kHalves ? 4 : 8;
        to += kStep * row_bytes;
    }
}

// A thread makes the same channels of every 16th row. Rows beyond m become zero, or they would count in the
// sums.
template <typename T, Prologue P, int kStages, int BN>
__device__ void make_factor(const Params &p, const Shared<BN> &s)
{
    constexpr int kStep = 16;
    constexpr int kAtOnce = sizeof(T) == 4 ? 4 : 8; // as the registers allow
    const Share share(p, BN);
    const int chunk = static_cast<int>(threadIdx.x) % 8;
    const int first = static_cast<int>(threadIdx.x) % 128 / 8;
    const int place = first * 128 + ((chunk ^ first % 8) << 4);
    int it = 0;
    for (int tile = share.first; tile < share.tiles; tile += share.step) {
        const std::int64_t row = static_cast<std::int64_t>(tile) * kRows + first;
        const int rows = min(p.m - tile * kRows, kRows) - first; // from this thread's first on
        for (int k = 0; k < p.k; k += columns_of<T>(), ++it) {
            const int stage = it % kStages;
            const int channel = k + chunk * kChunk<T>;
            const Channels<T, P> channels(p.at.sources, channel);
            barrier_wait(s.full + stage, it / kStages & 1);
            std::uint8_t *x = s.stages + stage * stage_bytes(P, BN) + place;
            std::uint64_t bits = 0;
#pragma unroll(kAtOnce)
            for (int i = 0; i < kRows / kStep; ++i) {
                auto *at = reinterpret_cast<uint4 *>(x + i * kStep * 128);
                uint4 made = *at, other = at[place_of_other(BN) / 16];
                bits |= make_chunk<T, P>(made, other, channels) << i * kChunk<T>;
                *at = i * kStep < rows ? made : uint4{};
                if constexpr (sizeof(T) == 4)
                    at[place_of_other(BN) / 16] = other;
            }
            fence_for_copies();
            __syncwarp();
            if (threadIdx.x % 32 == 0)
                barrier_arrive(s.ready + stage);
            if constexpr (P == Prologue::Normalise)
                write_bits<T, kStep>(p.at.sources.bits + (row * p.k + channel) / 8, p.k / 8, bits, rows);
        }
    }
}

// Called by one thread. A stage is given back as soon as it was read: there are few of them.
template <typename T, Prologue P, int kStages, int BN>
__device__ void store_made(const OwnGemm::Maps &maps, const Params &p, const Shared<BN> &s)
{
    constexpr int kPlace = sizeof(T) == 4 ? place_of_other(BN) : 0;
    const Share share(p, BN);
    int it = 0;
    for (int tile = share.first; tile < share.tiles; tile += share.step) {
        for (int k = 0; k < p.k; k += columns_of<T>(), ++it) {
            const int stage = it % kStages;
            barrier_wait(s.ready + stage, it / kStages & 1);
            tile_store(&maps.made, s.stages + stage * stage_bytes(P, BN) + kPlace, k, tile * kRows);
            stores_commit();
            stores_wait_read();
            barrier_arrive(s.empty + stage);
        }
    }
    stores_wait();
}

} // namespace

} // namespace sbtrain::cuda
