// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

// The one generator of sbtrain, for initial weights, synthetic data and dropout: a hash of (seed, stream,
// counter), so that any element can be made anywhere, in any order, without state.
//
//   mix(z)   = splitmix64's finalizer
//   hash     = mix(mix(seed + G * (stream + 1)) + G * (counter + 1)),  G = 0x9E3779B97F4A7C15, modulo 2^64
//   unit     = (hash >> 40) / 2^24                                      in [0, 1), exact in float32
//
// tests/data/backend/make_fixtures.py has the same in Python.
namespace sbtrain {

constexpr std::uint64_t kGolden = 0x9E3779B97F4A7C15ULL;

constexpr std::uint64_t mix(std::uint64_t z)
{
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

// Streams keep uses of one seed apart. A stream is mixed once, a counter per element.
struct Stream {
    std::uint64_t key = 0;

    constexpr Stream(std::uint64_t seed, std::uint64_t stream)
        : key(mix(seed + kGolden * (stream + 1)))
    {
    }
    constexpr std::uint64_t hash(std::uint64_t counter) const { return mix(key + kGolden * (counter + 1)); }
    constexpr float unit(std::uint64_t counter) const
    {
        return static_cast<float>(static_cast<std::int32_t>(hash(counter) >> 40)) * 0x1p-24F;
    }
    // 16 bits: the (i % 4)-th of hash(i / 4), from the lowest.
    constexpr std::uint32_t draw(std::uint64_t i) const
    {
        return static_cast<std::uint32_t>(hash(i / 4) >> (16 * (i % 4)) & 0xFFFF);
    }
};

// Stream numbers. Dropout of node i in step s uses kDropoutStream + (s * 1024 + i) * 65536 + rank.
constexpr std::uint64_t kInitStream = 1; // counter: position in the parameter arena
constexpr std::uint64_t kDataStream = 2; // see data/synthetic.h
constexpr std::uint64_t kDropoutStream = 16;

// Dropout takes a draw of 16 bits an element: one hash for four neighbours, since a hash takes longer than
// all else that is done with an element. Element i of row r of a matrix with n columns has the draw
//
//   r * draws_of_row(n) + i        so that a row begins with a new hash, whatever n is
//
// and is kept if that is at least `threshold`. What is kept is scaled by one over the share of draws that
// keep, not by 1 / (1 - probability), so that the mean stays. For example, 0.1: 6554 and 65536 / 58982.
constexpr std::int64_t draws_of_row(std::int64_t n)
{
    return (n + 3) / 4 * 4;
}

struct DropoutRate {
    std::uint32_t threshold = 0; // 2^16 probability, rounded up: more than 0 drops something
    float scale = 1.0F;          // 2^16 / (2^16 - threshold)

    constexpr DropoutRate() = default;
    // From 0 to 0.999.
    constexpr DropoutRate(float probability)
    {
        const float exact = probability * 0x1p16F;
        threshold = static_cast<std::uint32_t>(exact);
        threshold += static_cast<float>(threshold) < exact ? 1 : 0;
        scale = 0x1p16F / (0x1p16F - static_cast<float>(threshold));
    }
    constexpr bool drops() const { return threshold > 0; }
};

} // namespace sbtrain
