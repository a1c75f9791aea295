// SPDX-License-Identifier: Apache-2.0
#pragma once

// Column sums of a product's fragments: d[4 j + 2 r + e] of lane l is row l / 4 + 8 r, column
// 8 j + 2 (l % 4) + e of a warp's 16 x 64 sums.

namespace sbtrain::cuda {

// Half of the values go to the lane across, whose other half comes here: lanes with the bit keep the upper
// one.
template <int Half>
__device__ inline void halve(float (&x)[16])
{
    const bool upper = (threadIdx.x & (2U * Half)) != 0;
#pragma unroll
    for (int i = 0; i < Half; ++i) {
        const float other = __shfl_xor_sync(0xFFFFFFFFU, upper ? x[i] : x[i + Half], 2 * Half);
        x[i] = (upper ? x[i + Half] : x[i]) + other;
    }
}

// Column sums of a warp's 16 rows: lane l gets those of columns 2 l and 2 l + 1.
__device__ inline float2 column_sums(const float (&d)[32])
{
    float x[16];
#pragma unroll
    for (int i = 0; i < 16; ++i)
        x[i] = d[i / 2 * 4 + i % 2] + d[i / 2 * 4 + 2 + i % 2];
    halve<8>(x);
    halve<4>(x);
    halve<2>(x);
    return {x[0], x[1]};
}

} // namespace sbtrain::cuda
