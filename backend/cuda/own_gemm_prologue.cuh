// SPDX-License-Identifier: Apache-2.0
#pragma once

// The prologues of the own matrix product, which make a from what was copied into a stage: x, which a takes
// the place of, another matrix, and per-channel vectors. One group makes a, one thread stores it.
//
//   full (copied) -> make_factor() -> ready -> product and store_made() -> empty
//
// Included by own_gemm_kernel.cuh only.

#include "bn_formulas.cuh"
#include "own_gemm_tiles.cuh"
#include "pairs.cuh"

namespace sbtrain::cuda {

namespace {

// What batch norm knows of eight neighbouring channels: its vectors, b of both norms summed.
template <Prologue P>
struct Channels {
    static constexpr int kVectors = P == Prologue::Normalise ? 2 : 3;
    alignas(16) float v[kVectors][8];

    __device__ Channels(const OwnGemmSources &sources, int first)
    {
#pragma unroll
        for (int i = 0; i < kVectors; ++i)
            load(v[i], sources.vectors[i] + first);
        if constexpr (P == Prologue::NormaliseBoth) {
            alignas(16) float b[8];
            load(b, sources.vectors[3] + first);
#pragma unroll
            for (int i = 0; i < 8; ++i)
                v[1][i] += b[i];
        }
    }

    __device__ static void load(float (&to)[8], const float *from)
    {
        reinterpret_cast<float4 *>(to)[0] = reinterpret_cast<const float4 *>(from)[0];
        reinterpret_cast<float4 *>(to)[1] = reinterpret_cast<const float4 *>(from)[1];
    }
};

// Eight channels of one row, in place of x. Returns the bits.
template <typename T, Prologue P>
__device__ std::uint64_t make_eight(uint4 &x, const uint4 &other, const Channels<P> &channels)
{
    auto *word = reinterpret_cast<std::uint32_t *>(&x);
    const auto *other_word = reinterpret_cast<const std::uint32_t *>(&other);
    unsigned bits = 0;
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const float2 in = unpack2<T>(word[i]), more = unpack2<T>(other_word[i]);
        const float values[2] = {in.x, in.y}, others[2] = {more.x, more.y};
        float out[2];
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int c = 2 * i + e;
            if constexpr (P == Prologue::Apply) {
                out[e] =
                    bn_gradient(channels.v[0][c], others[e], channels.v[1][c], values[e], channels.v[2][c]);
                continue;
            }
            if constexpr (P == Prologue::NormaliseBoth)
                out[e] = bn_sum(channels.v[0][c], values[e], channels.v[2][c], others[e], channels.v[1][c]);
            else
                out[e] = bn_value(channels.v[0][c], values[e], channels.v[1][c], others[e]);
            bits |= out[e] > 0.0F ? 1U << c : 0U;
            out[e] = out[e] > 0.0F ? out[e] : 0.0F;
        }
        word[i] = pack2<T>(out[0], out[1]);
    }
    return bits;
}

// A thread makes the same eight channels of every 16th row. Rows beyond m become zero, or they would count in
// the sums.
template <typename T, Prologue P, int kStages, int BN>
__device__ void make_factor(const Params &p, const Shared<BN> &s)
{
    constexpr int kStep = 16;
    constexpr int kCount = kRows / kStep;
    const Share share(p, BN);
    const int chunk = static_cast<int>(threadIdx.x) % 8;
    const int first = static_cast<int>(threadIdx.x) % 128 / 8;
    const int place = first * 128 + ((chunk ^ first % 8) << 4);
    int it = 0;
    for (int tile = share.first; tile < share.tiles; tile += share.step) {
        const int rows = p.m - tile * kRows; // that are left
        for (int k = 0; k < p.k; k += 64, ++it) {
            const int stage = it % kStages;
            const Channels<P> channels(p.at.sources, k + chunk * 8);
            barrier_wait(s.full + stage, it / kStages & 1);
            std::uint8_t *x = s.stages + stage * stage_bytes(P, BN) + place;
            std::uint64_t bits = 0; // a byte a row
#pragma unroll
            for (int i = 0; i < kCount; ++i) {
                auto *at = reinterpret_cast<uint4 *>(x + i * kStep * 128);
                uint4 made = *at;
                bits |= make_eight<T, P>(made, at[place_of_other(BN) / 16], channels) << i * 8;
                *at = first + i * kStep < rows ? made : uint4{};
            }
            fence_for_copies();
            __syncwarp();
            if (threadIdx.x % 32 == 0)
                barrier_arrive(s.ready + stage);
            if constexpr (P != Prologue::Apply) {
                const std::int64_t row = static_cast<std::int64_t>(tile) * kRows + first;
                std::uint8_t *to = p.at.sources.bits + (row * p.k + k) / 8 + chunk;
#pragma unroll 1 // or the addresses take registers that the rows above need
                for (int i = first; i < min(rows, kRows); i += kStep) {
                    *to = static_cast<std::uint8_t>(bits);
                    bits >>= 8;
                    to += kStep * (p.k / 8);
                }
            }
        }
    }
}

// Called by one thread. A stage is given back as soon as it was read: there are few of them.
template <Prologue P, int kStages, int BN>
__device__ void store_made(const OwnGemm::Maps &maps, const Params &p, const Shared<BN> &s)
{
    const Share share(p, BN);
    int it = 0;
    for (int tile = share.first; tile < share.tiles; tile += share.step) {
        for (int k = 0; k < p.k; k += 64, ++it) {
            const int stage = it % kStages;
            barrier_wait(s.ready + stage, it / kStages & 1);
            tile_store(&maps.made, s.stages + stage * stage_bytes(P, BN), k, tile * kRows);
            stores_commit();
            stores_wait_read();
            barrier_arrive(s.empty + stage);
        }
    }
    stores_wait();
}

} // namespace

} // namespace sbtrain::cuda
