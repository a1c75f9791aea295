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
};

// Stream numbers. Dropout of node i in step s uses kDropoutStream + (s * 1024 + i) * 65536 + rank.
constexpr std::uint64_t kInitStream = 1; // counter: position in the parameter arena
constexpr std::uint64_t kDataStream = 2; // see data/synthetic.h
constexpr std::uint64_t kDropoutStream = 16;

} // namespace sbtrain
