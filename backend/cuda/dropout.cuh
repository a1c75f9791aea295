// SPDX-License-Identifier: Apache-2.0
#pragma once

// Dropout's draws, defined in random.h, on the device.

#include "../random.h"
#include "norm_kernels.h"
#include "vec.cuh"

#include <cstdint>

namespace sbtrain::cuda {

// Two neighbouring draws lie in the halves of a word. A half is compared as the upper one of 32 bits: below
// it, the threshold is 0, and what the word has there makes no difference.
struct DropoutMask {
    std::uint64_t key = 0;
    std::uint32_t threshold = 0; // 2^16 that of random.h
    float scale = 1.0F;

    // The draws of four neighbours, the group-th of all.
    __device__ uint2 draws(std::uint64_t group) const
    {
        const std::uint64_t hash = mix(key + kGolden * (group + 1));
        return {static_cast<std::uint32_t>(hash), static_cast<std::uint32_t>(hash >> 32)};
    }
    __device__ bool keeps_low(std::uint32_t pair) const { return pair << 16 >= threshold; }
    __device__ bool keeps_high(std::uint32_t pair) const { return pair >= threshold; }

    // What to multiply the element of one draw with: 0 or scale.
    __device__ float factor(std::uint64_t draw) const
    {
        const uint2 four = draws(draw / 4);
        const std::uint32_t pair = draw & 2 ? four.y : four.x;
        return (draw & 1 ? keeps_high(pair) : keeps_low(pair)) ? scale : 0.0F;
    }
    // Drops in a vector of eight elements, the `vector`-th of all; a bit of the result says what was kept.
    __device__ unsigned drop8(std::uint64_t vector, Float8 &x) const
    {
        const uint2 low = draws(2 * vector);
        const uint2 high = draws(2 * vector + 1);
        const std::uint32_t pairs[4] = {low.x, low.y, high.x, high.y};
        unsigned kept = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i) {
            const bool keep = i % 2 == 0 ? keeps_low(pairs[i / 2]) : keeps_high(pairs[i / 2]);
            x.v[i] = keep ? x.v[i] * scale : 0.0F;
            kept |= keep ? 1U << i : 0U;
        }
        return kept;
    }
};

__device__ inline DropoutMask dropout_mask(const DropoutSpec &spec)
{
    const std::uint64_t use = static_cast<std::uint64_t>(*spec.pass) * 1024 + spec.node;
    DropoutMask mask;
    mask.key = Stream(spec.seed, kDropoutStream + use * 65536 + spec.rank).key;
    mask.threshold = spec.rate.threshold << 16;
    mask.scale = spec.rate.scale;
    return mask;
}

// What is kept of a row of scores, for attention's backward pass as well: word w of a row's four has in bit
// k / 8 + 16 (k % 2) the key k whose k % 8 / 2 is w. Sums of products lie so in four lanes: this one's are
// the keys 8 j + 2 (lane % 4) + e, and it gets their word. row: of (n, heads, t), the same in the four lanes.
__device__ inline std::uint32_t kept_word(const DropoutMask &mask, std::int64_t row, int t)
{
    // A hash is for the pairs of two neighbouring lanes: of the 16 for both one takes the even j, one the
    // odd.
    const unsigned lane = threadIdx.x % 4;
    const unsigned odd = lane % 2;
    const auto first = static_cast<std::uint64_t>(row * (draws_of_row(t) / 4) + 2 * odd + lane / 2);
    std::uint32_t even_word = 0;
    std::uint32_t odd_word = 0;
#pragma unroll
    for (unsigned i = 0; i < 8; ++i) {
        const uint2 four = mask.draws(first + 4 * i);
        even_word |= mask.keeps_low(four.x) ? 1U << 2 * i : 0U;
        even_word |= mask.keeps_high(four.x) ? 0x10000U << 2 * i : 0U;
        odd_word |= mask.keeps_low(four.y) ? 1U << 2 * i : 0U;
        odd_word |= mask.keeps_high(four.y) ? 0x10000U << 2 * i : 0U;
    }
    const std::uint32_t own = odd ? odd_word << 1 : even_word;
    const std::uint32_t others = odd ? even_word << 1 : odd_word;
    return own | __shfl_xor_sync(0xFFFFFFFFU, others, 1);
}

} // namespace sbtrain::cuda
