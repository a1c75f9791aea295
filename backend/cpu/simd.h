// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstdint>

// Hot loops are compiled once per instruction set and chosen when the program starts, so that one binary
// runs on any x86-64 and still uses AVX-512 where there is any. Sanitizers do not get along with the
// resolver functions this needs, and other architectures do with one version.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define SBTRAIN_CLONES __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define SBTRAIN_CLONES
#endif
#define SBTRAIN_INLINE __attribute__((always_inline)) inline

namespace sbtrain::cpu {

// W floats in one value, W a power of two. The compiler maps it to what the processor has.
template <int W>
struct VecOf {
    typedef float Float __attribute__((vector_size(W * 4)));
};
template <int W>
using Vec = typename VecOf<W>::Float;

// e^x for x <= 88, to about 2e-7 of the result; 0 below -87. Plain arithmetic, so that loops over it
// vectorise.
SBTRAIN_INLINE float fast_exp(float x)
{
    const float clamped = x < -87.0F ? -87.0F : x;
    const float n =
        static_cast<float>(static_cast<std::int32_t>(clamped * 1.44269504F + (clamped < 0 ? -0.5F : 0.5F)));
    // x = n ln 2 + r with ln 2 in two parts, |r| <= ln 2 / 2
    const float r = (clamped - n * 0.693359375F) + n * 2.12194440e-4F;
    float p = 1.9875691500e-4F;
    p = p * r + 1.3981999507e-3F;
    p = p * r + 8.3334519073e-3F;
    p = p * r + 4.1665795894e-2F;
    p = p * r + 1.6666665459e-1F;
    p = p * r + 5.0000001201e-1F;
    const float e = p * r * r + r + 1.0F;
    const auto exponent = static_cast<std::uint32_t>(static_cast<std::int32_t>(n) + 127) << 23;
    const float scaled = e * std::bit_cast<float>(exponent);
    return x < -87.0F ? 0.0F : scaled;
}

} // namespace sbtrain::cpu
