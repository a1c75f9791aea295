// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernel of the own 3x3 convolution: (channels of y, pixels) = weights (channels of y, 9 c) times
// windows. A tile is some rows of pixels; with the rows above and below and a zero column between rows, 32
// channels at a time, x is fetched once and serves all nine taps: a tap is the same tile from another pixel
// on. Swizzling goes by the address, so a tile may be read from any pixel. What is computed for the zero
// columns is dropped.
//
// Three warpgroups: one thread of the first has the copy engine fetch x and weights; the others multiply,
// weights through registers. They share the channels of y, or, of rows of 56 pixels, the pixels.
//
// Included by own_conv.cu only.

#include "ring.cuh"

#include <cuda.h>

namespace sbtrain::cuda {

namespace {

// Of images of Width: rows and images of a tile; it is computed in `parts` of `columns` pixels, `step` apart.
template <int Width>
struct ConvTile;
template <>
struct ConvTile<56> {
    static constexpr int rows = 8, images = 1, parts = 4, columns = 120, step = 2 * 57;
    static constexpr bool shared_channels = true; // half of the parts a group
};
template <>
struct ConvTile<28> {
    static constexpr int rows = 7, images = 1, parts = 2, columns = 104, step = 104;
    static constexpr bool shared_channels = false;
};
template <>
struct ConvTile<14> {
    static constexpr int rows = 14, images = 1, parts = 2, columns = 112, step = 112;
    static constexpr bool shared_channels = false;
};
template <>
struct ConvTile<7> {
    static constexpr int rows = 7, images = 4, parts = 4, columns = 56, step = 9 * 8;
    static constexpr bool shared_channels = false;
};

// Of shared memory, in bytes but for the numbers of slots.
template <int Width>
struct ConvSizes {
    using Tile = ConvTile<Width>;
    static constexpr int kPitch = Width + 1;
    static constexpr int kPixels = Tile::images * (Tile::rows + 2) * kPitch;
    static constexpr int kXSlot = ((kPixels + 8) * 128 + 1023) / 1024 * 1024; // zeros behind the last pixel
    static constexpr int kChannels = Tile::shared_channels ? 64 : 128;        // of y, a tile
    static constexpr int kWSlot = kChannels * 128;
    static constexpr int kXSlots = Tile::shared_channels ? 2 : 3;
    static constexpr int kWSlots = Tile::shared_channels ? 8 : 6;
    static constexpr int kWPlace = kXSlots * kXSlot;
    static constexpr int kXBarriers = kWPlace + kWSlots * kWSlot;
    static constexpr int kWBarriers = kXBarriers + 16 * kXSlots;
    static constexpr int kShared = 1024 + kWBarriers + 16 * kWSlots; // alignment first
};

struct ConvParams {
    int n = 0, c = 0, k = 0;
    int tiles_k = 0, tiles = 0; // of channels, all
    float *y = nullptr;
};

struct ConvMaps {
    CUtensorMap x, w;
};

template <int Width>
struct ConvShared {
    using Sizes = ConvSizes<Width>;
    Ring<Sizes::kXSlots, Sizes::kXSlot, 0, Sizes::kXBarriers> x;
    Ring<Sizes::kWSlots, Sizes::kWSlot, Sizes::kWPlace, Sizes::kWBarriers> w;
};

template <int Width>
struct ConvPlace {
    int channel, row, image;
    __device__ ConvPlace(const ConvParams &p, int tile)
    {
        constexpr int kDown = Width / ConvTile<Width>::rows;
        channel = tile % p.tiles_k * ConvSizes<Width>::kChannels;
        row = tile / p.tiles_k % kDown * ConvTile<Width>::rows;
        image = tile / p.tiles_k / kDown * ConvTile<Width>::images;
    }
};

// One thread.
template <int Width>
__device__ void copy_tiles(const ConvMaps &maps, const ConvParams &p, const ConvShared<Width> &s)
{
    using Sizes = ConvSizes<Width>;
    int x = 0, w = 0;
    for (int tile = static_cast<int>(blockIdx.x); tile < p.tiles; tile += static_cast<int>(gridDim.x)) {
        const ConvPlace<Width> place(p, tile);
        for (int c = 0; c < p.c; c += 32, ++x) {
            s.x.wait_empty(x);
            barrier_expect(s.x.full(x), Sizes::kPixels * 128);
            tile_load(&maps.x, s.x.full(x), s.x.slot(x), c, -1, place.row - 1, place.image);
            for (int tap = 0; tap < 9; ++tap, ++w) {
                s.w.wait_empty(w);
                barrier_expect(s.w.full(w), Sizes::kWSlot);
                tile_load(&maps.w, s.w.full(w), s.w.slot(w), tap * p.c + c, place.channel);
            }
        }
    }
}

#define SBTRAIN_F4(d, i) "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3])
#define SBTRAIN_F12(d, i) SBTRAIN_F4(d, i), SBTRAIN_F4(d, i + 4), SBTRAIN_F4(d, i + 8)
#define SBTRAIN_F24(d, i) SBTRAIN_F12(d, i), SBTRAIN_F12(d, i + 12)
#define SBTRAIN_LIST28                                                                                       \
    "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, "   \
    "%22, %23, %24, %25, %26, %27"
#define SBTRAIN_LIST52                                                                                       \
    SBTRAIN_LIST28 ", %28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, " \
                   "%45, %46, %47, %48, %49, %50, %51"
#define SBTRAIN_LIST56 SBTRAIN_LIST52 ", %52, %53, %54, %55"
#define SBTRAIN_LIST60 SBTRAIN_LIST56 ", %56, %57, %58, %59"
#define SBTRAIN_PRODUCT(n, list, a0, a1, a2, a3, b, p, ...)                                                  \
    asm volatile("{\n.reg .pred add;\nsetp.ne.b32 add, %" #p ", 0;\n"                                        \
                 "wgmma.mma_async.sync.aligned.m64n" #n "k8.f32.tf32.tf32 {" list "}, {%" #a0 ", %" #a1      \
                 ", %" #a2 ", %" #a3 "}, %" #b ", add, 1, 1;\n}\n"                                           \
                 : __VA_ARGS__                                                                               \
                 : "r"(left[0]), "r"(left[1]), "r"(left[2]), "r"(left[3]), "l"(right), "r"(add))

// d (64, Columns) = left (64, 8) right (Columns, 8)^T [+ d], left in registers.
template <int Columns>
__device__ __forceinline__ void multiply_columns(float (&d)[Columns / 2], const std::uint32_t (&left)[4],
                                                 std::uint64_t right, int add)
{
    if constexpr (Columns == 120)
        SBTRAIN_PRODUCT(120, SBTRAIN_LIST60, 60, 61, 62, 63, 64, 65, SBTRAIN_F24(d, 0), SBTRAIN_F24(d, 24),
                        SBTRAIN_F12(d, 48));
    else if constexpr (Columns == 112)
        SBTRAIN_PRODUCT(112, SBTRAIN_LIST56, 56, 57, 58, 59, 60, 61, SBTRAIN_F24(d, 0), SBTRAIN_F24(d, 24),
                        SBTRAIN_F4(d, 48), SBTRAIN_F4(d, 52));
    else if constexpr (Columns == 104)
        SBTRAIN_PRODUCT(104, SBTRAIN_LIST52, 52, 53, 54, 55, 56, 57, SBTRAIN_F24(d, 0), SBTRAIN_F24(d, 24),
                        SBTRAIN_F4(d, 48));
    else
        SBTRAIN_PRODUCT(56, SBTRAIN_LIST28, 28, 29, 30, 31, 32, 33, SBTRAIN_F24(d, 0), SBTRAIN_F4(d, 24));
}

#undef SBTRAIN_PRODUCT
#undef SBTRAIN_LIST60
#undef SBTRAIN_LIST56
#undef SBTRAIN_LIST52
#undef SBTRAIN_LIST28
#undef SBTRAIN_F24
#undef SBTRAIN_F12
#undef SBTRAIN_F4

template <int Width>
struct ConvConsumer {
    using Tile = ConvTile<Width>;
    using Sizes = ConvSizes<Width>;
    static constexpr int kParts = Tile::shared_channels ? Tile::parts / 2 : Tile::parts; // of a group

    const ConvParams &p;
    const ConvShared<Width> &s;
    int group, warp, lane;
    float d[kParts][Tile::columns / 2];

    // Weights of channels 16 warp + lane / 4 and 8 further of this group's, columns 8 i + lane % 4 and 4
    // further.
    __device__ __forceinline__ void load(std::uint32_t (&left)[4], const std::uint8_t *w, int i) const
    {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const std::uint8_t *from = w + (((2 * i + h) ^ (lane / 4)) * 16);
            left[2 * h] = *reinterpret_cast<const std::uint32_t *>(from);
            left[2 * h + 1] = *reinterpret_cast<const std::uint32_t *>(from + 8 * 128);
        }
    }

    // Adds 32 channels of a tap. x: the tile from the tap's first pixel on.
    __device__ __forceinline__ void multiply(std::uint64_t x, const std::uint8_t *w, bool first)
    {
        w += (Tile::shared_channels ? 0 : group * (64 * 128)) + (16 * warp + lane / 4) * 128 + lane % 4 * 4;
        std::uint32_t left[4][4];
        load(left[0], w, 0);
        load(left[1], w, 1);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            product_fence();
#pragma unroll
            for (int part = 0; part < kParts; ++part)
                multiply_columns<Tile::columns>(d[part], left[i], x + part * Tile::step * (128 / 16) + 2 * i,
                                                i > 0 || !first);
            product_commit();
            if (i == 3)
                break;
            product_wait<1>();
            if (i < 2)
                load(left[i + 2], w, i + 2);
        }
        product_wait<0>();
    }

    __device__ void run()
    {
        int x = 0, w = 0;
        for (int tile = static_cast<int>(blockIdx.x); tile < p.tiles; tile += static_cast<int>(gridDim.x)) {
            for (int c = 0; c < p.c; c += 32, ++x) {
                s.x.wait_full(x);
                std::uint64_t from = tile_descriptor(s.x.slot(x));
                if (Tile::shared_channels)
                    from += group * kParts * Tile::step * (128 / 16);
                for (int tap = 0; tap < 9; ++tap, ++w) {
                    s.w.wait_full(w);
                    multiply(from + (tap / 3 * Sizes::kPitch + tap % 3) * (128 / 16), s.w.slot(w),
                             c == 0 && tap == 0);
                    release(s.w.empty(w), lane);
                }
                release(s.x.empty(x), lane);
            }
            store(ConvPlace<Width>(p, tile));
        }
    }

    __device__ void store(const ConvPlace<Width> &place) const
    {
        const int channel = place.channel + (Tile::shared_channels ? 0 : group * 64) + 16 * warp + lane / 4;
#pragma unroll
        for (int part = 0; part < kParts; ++part) {
            const int image = place.image + (Tile::images > 1 ? part : 0);
            if (image >= p.n)
                break;
            float *to = p.y + (static_cast<std::int64_t>(image) * Width + place.row) * Width * p.k + channel;
            const int begin =
                Tile::images > 1 ? 0 : (Tile::shared_channels ? group * kParts + part : part) * Tile::step;
            int row = (begin + lane % 4 * 2) / Sizes::kPitch, column = (begin + lane % 4 * 2) % Sizes::kPitch;
            // Otherwise all places are computed once for all tiles, and do not fit in registers.
            asm volatile("" : "+r"(row), "+r"(column));
#pragma unroll
            for (int i = 0; i < Tile::columns / 2; i += 4) {
                store_pixel(to, row, column, d[part][i], d[part][i + 2]);
                const bool wraps = column + 1 == Sizes::kPitch;
                store_pixel(to, row + (wraps ? 1 : 0), wraps ? 0 : column + 1, d[part][i + 1],
                            d[part][i + 3]);
                column += 8;
                if (column >= Sizes::kPitch) {
                    column -= Sizes::kPitch;
                    ++row;
                }
            }
        }
    }

    // Two channels of a pixel.
    __device__ void store_pixel(float *to, int row, int column, float first, float second) const
    {
        if (row >= Tile::rows || column >= Width)
            return;
        to += (row * Width + column) * p.k;
        to[0] = first;
        to[8] = second;
    }
};

template <int Width>
__global__ void __launch_bounds__(384, 1)
    own_conv_kernel(const __grid_constant__ ConvMaps maps, const __grid_constant__ ConvParams p)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    using Sizes = ConvSizes<Width>;
    extern __shared__ std::uint8_t raw[];
    std::uint8_t *const shared = raw + (1024 - shared_address(raw) % 1024) % 1024;
    const ConvShared<Width> s{{shared}, {shared}};
    if (threadIdx.x == 0) {
        s.x.init(1, 8); // warps that multiply
        s.w.init(1, 8);
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
    for (int i = static_cast<int>(threadIdx.x); i < Sizes::kXSlots * 64; i += 384)
        reinterpret_cast<float4 *>(s.x.slot(i / 64) + Sizes::kPixels * 128)[i % 64] = {0.0F, 0.0F, 0.0F,
                                                                                       0.0F};
    fence_for_copies();
    __syncthreads();
    const int warp = static_cast<int>(threadIdx.x) / 32;
    if (warp < 4) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x == 0)
            copy_tiles(maps, p, s);
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        ConvConsumer<Width> consumer{p, s, warp / 4 - 1, warp % 4, static_cast<int>(threadIdx.x) % 32};
        consumer.run();
    }
#endif
}

} // namespace

} // namespace sbtrain::cuda
