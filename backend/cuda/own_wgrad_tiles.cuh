// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the kernels of the own weight gradient share: their rings, and how the left factor, whose pixels lie
// one after the other, gets into registers with pixels along k. For warp w and lane l of a group of four
// warps, whose 64 rows are channels.

#include "attention_tiles.cuh"
#include "ring.cuh"

#include <cuda.h>

namespace sbtrain::cuda {

struct WgradMaps {
    CUtensorMap x, dy;
};

// The rings of a kernel that goes down the images, of slots as Sizes says; tf32 needs x transposed.
template <typename Sizes>
struct WgradRings {
    Ring<Sizes::kDySlots, Sizes::kDySlot, 0, Sizes::kDyBarriers> dy;
    Ring<Sizes::kXSlots, Sizes::kXSlot, Sizes::kXPlace, Sizes::kXBarriers> x;
    Ring<Sizes::kTransposedSlots, Sizes::kTransposedSlot, Sizes::kTransposedPlace, Sizes::kTransposedBarriers>
        transposed;

    // Where the products find x.
    __device__ const auto &operands() const
    {
        if constexpr (Sizes::kSingle)
            return transposed;
        else
            return x;
    }
};

// fp32: 32 channels a pixel, swizzled; two such tiles, `tile_bytes` apart, for 64 channels. Where this lane
// finds its channels of its pixel `pixel`.
__device__ inline const std::uint8_t *own_pixel(const std::uint8_t *tile, int tile_bytes, int pixel, int warp,
                                                int lane)
{
    return tile + warp / 2 * tile_bytes + pixel * 128 + lane / 4 % 4 * 4;
}

// Columns l % 4 and l % 4 + 4 of the product step are the pixels `first` and `second` further.
__device__ __forceinline__ void load_pixels(std::uint32_t (&left)[4], const std::uint8_t *own, int pixel,
                                            int first, int second, int warp, int lane)
{
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        const int further = h == 0 ? first : second;
        const int chunk = (warp % 2 * 4 + lane / 16) ^ ((pixel + further) & 7);
        const std::uint8_t *from = own + further * 128;
        left[2 * h] = *reinterpret_cast<const std::uint32_t *>(from + chunk * 16);
        left[2 * h + 1] = *reinterpret_cast<const std::uint32_t *>(from + (chunk ^ 2) * 16); // 8 channels on
    }
}

// 64 channels of 16 bit a pixel, swizzled; the 16 pixels of the product step from `pixel` on, a multiple
// of 8.
__device__ __forceinline__ void load_pixels(std::uint32_t (&left)[4], const std::uint8_t *tile, int pixel,
                                            int warp, int lane)
{
    // Four blocks of 8x8, transposed: 8 channels of 8 pixels, 8 channels on, 8 pixels on, both.
    const std::uint32_t address = tile_address(shared_address(tile) + static_cast<std::uint32_t>(pixel * 128),
                                               lane / 16 * 8 + lane % 8, 2 * warp + lane / 8 % 2);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(left[0]), "=r"(left[1]), "=r"(left[2]), "=r"(left[3])
                 : "r"(address)
                 : "memory");
}

} // namespace sbtrain::cuda
